import { type ModelProviderName, providerLabels } from '#contract/model-providers.ts'
import { can } from '#contract/permissions.ts'
import { dollarText } from '#contract/wire/money-text.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { exhausted, Failure } from '#platform/ground/failures/failure.ts'
import { type BudgetRow, lockHardBudgets, type Spending, sumSpending } from './store.ts'
import { countSpending, hasProvider } from './to-budget.ts'

type Amount = { runCount: number; micros: bigint }

/**
 * `ofProviders`: the part of each provider of models. `uncounted`: providers that some runs use although their spending
 * would not count for them, with the field that says so. Without the two, budgets of providers are not checked.
 */
type Submission = Amount & {
  experimentId: string
  ofProviders?: ReadonlyMap<string, Amount>
  uncounted?: ReadonlyMap<string, string>
}

/**
 * Refuses real runs that a hard budget does not cover: what is spent this month, what is reserved for unfinished runs and
 * what these runs would reserve must not exceed its limit. Call it before the runs and their holds are stored, in their
 * transaction: it locks the budgets until the commit. Errors: `resource_exhausted`; messages for members contain no amounts.
 * `failed_precondition` for runs whose spending a hard budget of a provider could not count.
 */
export const requireBudget = (context: Context, tx: Database, submission: Submission) =>
  requireBudgets(context, tx, [submission])

/** Like requireBudget, for runs of several experiments at once. A budget is compared with those that it counts. */
export async function requireBudgets(
  { organization, caller }: Context,
  tx: Database,
  submissions: readonly Submission[],
) {
  const experimentIds = submissions.map(({ experimentId }) => experimentId)
  const namesOf = ({ ofProviders, uncounted }: Submission) => [
    ...(ofProviders?.keys() ?? []),
    ...(uncounted?.keys() ?? []),
  ]
  const providers = [...new Set(submissions.flatMap(namesOf))]
  const scope = { organizationId: organization.id, userId: caller.recordedUnder, experimentIds, providers }
  const locked = await lockHardBudgets(tx, scope)
  if (locked.length === 0) return
  requireCountable(locked, submissions)
  const spending = await sumSpending(tx, organization.id, { only: onlyScopeOf(locked), byModel: hasProvider(locked) })
  const short = locked
    .map(({ budget }) => ({ budget, left: leftOf(budget, spending), ...wantedOf(budget, submissions) }))
    .find(({ left, wanted }) => left < wanted || left <= 0)
  if (!short) return
  const runs = short.runCount === 1 ? 'This run' : `These ${short.runCount} runs`
  const experiment = submissions.length === 1 ? 'this experiment' : `the experiment “${short.budget.key}”`
  const budgets = {
    organization: 'the monthly budget of the organization',
    person: 'your monthly budget',
    experiment: `the monthly budget of ${experiment}`,
    provider: `the monthly budget for ${providerLabels[short.budget.key as ModelProviderName]} models`,
  }
  const budget = budgets[short.budget.scope]
  if (!can(organization).readBalance)
    throw exhausted(`${runs} would exceed ${budget}. Ask an admin to raise it, or use mock runs, which cost nothing`)
  throw exhausted(
    `${runs} may cost ${dollarText(short.wanted)}, but ${budget} has ${dollarText(Math.max(0, short.left))} left of ${dollarText(short.budget.monthlyLimitUsd)}. Raise it under Credits, or use mock runs, which cost nothing`,
  )
}

function requireCountable(locked: readonly Pick<BudgetRow, 'budget'>[], submissions: readonly Submission[]) {
  for (const { budget } of locked) {
    if (budget.scope !== 'provider') continue
    const path = submissions.map(({ uncounted }) => uncounted?.get(budget.key)).find((found) => found !== undefined)
    if (path === undefined) continue
    const provider = providerLabels[budget.key as ModelProviderName]
    const message = `can use ${provider}, but its id is not that of a model of ${provider}`
    throw new Failure(
      'failed_precondition',
      `${path} ${message}, so the monthly budget for ${provider} models could not count it. Give each model of ${provider} an entry of its own, with the provider’s own id`,
      [{ path, message }],
    )
  }
}

/** The scope of all budgets, if they have the same one; those of an organization and of a provider need every run. */
function onlyScopeOf(locked: readonly { budget: BudgetRow['budget'] }[]) {
  const [first, ...others] = locked
  if (!first || others.length > 0) return undefined
  const { scope, key } = first.budget
  if (scope === 'organization' || scope === 'provider') return undefined
  return scope === 'person' ? { userId: key } : { experimentId: key }
}

/** How many of the runs the budget counts, and what they may cost in US dollars. */
function wantedOf({ scope, key }: BudgetRow['budget'], submissions: readonly Submission[]) {
  if (scope === 'provider') return sumOf(submissions.flatMap(({ ofProviders }) => ofProviders?.get(key) ?? []))
  const counted = submissions.filter(({ experimentId }) => scope !== 'experiment' || experimentId === key)
  return sumOf(counted)
}

const sumOf = (amounts: readonly Amount[]) => ({
  runCount: amounts.reduce((sum, { runCount }) => sum + runCount, 0),
  wanted: Number(amounts.reduce((sum, { micros }) => sum + micros, 0n)) / 1e6,
})

function leftOf(budget: BudgetRow['budget'], spending: readonly Spending[]) {
  const { spentUsd, reservedUsd } = countSpending(budget, spending)
  return budget.monthlyLimitUsd - spentUsd - reservedUsd
}
