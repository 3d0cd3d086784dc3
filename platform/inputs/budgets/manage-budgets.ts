import { v7 as newId } from 'uuid'

import type { Budget, BudgetList, deleteBudget as deleteEndpoint, putBudget } from '#contract/budgets.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import { limits } from '#contract/wire/limit.ts'
import { audited } from '#platform/people/audit/audited.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { lockNamed } from '#platform/ground/database/lock-named.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { isUuidText } from '#platform/ground/database/is-uuid.ts'
import { exhausted, invalid, notFound } from '#platform/ground/failures/failure.ts'
import { isKnownProvider, providerNames } from '#platform/ground/models/providers.ts'
import { requireExperiment } from '#platform/inputs/experiments/require-experiment.ts'
import { countBudgets, findBudget, findBudgets, isMember, removeBudget, sumSpending, upsertBudget } from './store.ts'
import { hasProvider, toBudget } from './to-budget.ts'

/** GET /admin/v1/budgets, with what is spent this month (UTC). */
export async function listBudgets({ db, organization }: Context): Promise<BudgetList> {
  const rows = await findBudgets(db, organization.id)
  const spending = rows.length > 0 ? await sumSpending(db, organization.id, { byModel: hasProvider(rows) }) : []
  return { budgets: rows.map((row) => toBudget(row, spending)), monthEndsAt: monthEndAfter(await clockNow(db)) }
}

function monthEndAfter(now: string) {
  const [year = 0, month = 0] = now.split('-').map(Number)
  return new Date(Date.UTC(year, month, 1)).toISOString().replace('.000Z', '.000000Z')
}

/**
 * PUT /admin/v1/budgets: there is one budget for each scope and key. Errors: `not_found` for an unknown person,
 * experiment or provider, `invalid_argument` for a key that the scope does not have, `resource_exhausted` at the limit of budgets.
 */
export async function setBudget(context: Context, input: VerbInput<typeof putBudget>): Promise<Budget> {
  const { organization } = context
  // Ids of people are compared as text, and the database writes them in lower case.
  const key = input.scope === 'person' ? input.key.toLowerCase() : input.key
  const place = { organizationId: organization.id, scope: input.scope, key }
  return audited(context, async (tx, record) => {
    await requireKey(tx, place)
    await lockNamed(tx, 'budgets', organization.id)
    const isNew = (await findBudget(tx, place)) === null
    if (isNew && (await countBudgets(tx, organization.id)) >= limits.budgetsPerOrganization)
      throw exhausted(`This organization already has ${limits.budgetsPerOrganization} budgets. Delete one first`)
    await upsertBudget(tx, { ...input, ...place, id: newId(), updatedAt: await clockNow(tx) })
    const { monthlyLimitUsd, isHard } = input
    record({
      organizationId: organization.id,
      event: 'budget.set',
      subject: describeScope(place),
      details: { monthlyLimitUsd, isHard },
    })
    const row = await findBudget(tx, place)
    if (!row) throw new Error('The budget was not stored')
    return toBudget(row, await sumSpending(tx, organization.id, { byModel: hasProvider([row]) }))
  })
}

type Place = Parameters<typeof findBudget>[1]

const describeScope = ({ scope, key }: Pick<Place, 'scope' | 'key'>) => (key === '' ? scope : `${scope} ${key}`)

async function requireKey(tx: Database, { organizationId, scope, key }: Place) {
  if ((scope === 'organization') !== (key === ''))
    throw invalid(
      scope === 'organization'
        ? 'Leave out `key`: the organization has one budget'
        : `Send \`key\`: the ${scope === 'provider' ? 'name' : 'id'} of the ${scope}`,
    )
  if (scope === 'provider' && !isKnownProvider(key))
    throw notFound(`Unknown provider. Send one of ${providerNames.join(', ')}`)
  if (scope === 'experiment') await requireExperiment(tx, { organizationId, experimentId: key })
  if (scope === 'person' && !(isUuidText(key) && (await isMember(tx, organizationId, key))))
    throw notFound('There is no such member')
}

/** DELETE /admin/v1/budgets/{budgetId}. Errors: `not_found`. */
export const deleteBudget = (context: Context, { budgetId }: VerbInput<typeof deleteEndpoint>): Promise<undefined> =>
  audited(context, async (tx, record) => {
    const organizationId = context.organization.id
    const removed = isUuidText(budgetId) ? await removeBudget(tx, organizationId, budgetId) : null
    if (!removed) throw notFound('There is no such budget')
    record({ organizationId, event: 'budget.delete', subject: describeScope(removed) })
    return undefined
  })
