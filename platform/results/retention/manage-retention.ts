import type { VerbInput } from '#contract/endpoint.ts'
import {
  keepEverything,
  type putRetention,
  retentionKinds,
  retentionLimits,
  type RetentionPolicy,
  type RetentionRules,
} from '#contract/retention.ts'
import { audited, type Auditing } from '#platform/people/audit/audited.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { toSixDigits } from '#platform/ground/database/instants.ts'
import { conflict } from '#platform/ground/failures/failure.ts'
import { notify } from '#platform/people/notifications/notify.ts'
import { requireExperiments } from './require-experiments.ts'
import { findPolicy, type PolicyRow, replacePolicy } from './store.ts'

type Organization = { organization: { id: string; slug: string } }

/** GET /admin/v1/retention: for everyone, because everyone should know how long their work is kept. */
export async function getRetention({ db, organization }: Pick<Context, 'db'> & Organization): Promise<RetentionPolicy> {
  return toPolicy(await findPolicy(db, organization.id))
}

const toPolicy = (row: PolicyRow | null): RetentionPolicy => ({
  ...keepEverything,
  ...row?.rules,
  updatedAt: row?.updatedAt ?? null,
  removesFrom: row?.removesFrom ?? null,
  lastSweep: row?.lastSweep ?? null,
})

/** What the rules may remove that the rules before would have kept; null for nothing. */
function findTightened(before: RetentionRules, after: RetentionRules) {
  const shorter = retentionKinds.flatMap((kind) => {
    const [days, days_before] = [after[kind], before[kind]]
    return days !== null && days < (days_before ?? Infinity) ? [{ kind, days, days_before }] : []
  })
  if (retentionKinds.every((kind) => after[kind] === null)) return null
  const released = before.keptExperiments.filter((id) => !after.keptExperiments.includes(id)).length
  return shorter.length > 0 || released > 0 ? { shorter, released_experiments: released } : null
}

/** When saving these rules now would first remove something. */
export function firstRemoval(before: PolicyRow | null, after: RetentionRules, now: string) {
  if (!findTightened(before?.rules ?? keepEverything, after)) return before?.removesFrom ?? now
  return toSixDigits(new Date(Date.parse(now) + retentionLimits.graceHours * 3_600_000).toISOString())
}

/** An operator has no caller. */
type Changing = Auditing & Organization & Partial<Pick<Context, 'caller'>>

/** PUT /admin/v1/retention. Errors: 409 if the rules changed since `expectedUpdatedAt`. */
export const setRetention = (
  context: Changing,
  { expectedUpdatedAt, ...rules }: VerbInput<typeof putRetention>,
): Promise<RetentionPolicy> =>
  audited(context, async (tx, record) => {
    const organizationId = context.organization.id
    const updatedAt = await clockNow(tx)
    const before = await findPolicy(tx, organizationId)
    await requireExperiments(tx, organizationId, rules, before)
    const removesFrom = firstRemoval(before, rules, updatedAt)
    const saved = await replacePolicy(tx, { organizationId, rules, updatedAt, removesFrom, expectedUpdatedAt })
    if (!saved)
      throw conflict(
        'The retention rules changed since you read them, so nothing was saved. Read them again and resend your change',
      )
    const { keptExperiments, ...days } = rules
    record({
      organizationId,
      event: 'retention.set',
      subject: context.organization.slug,
      details: {
        ...Object.fromEntries(Object.entries(days).map(([kind, kept]) => [kind, kept ?? 'forever'])),
        keptExperiments: keptExperiments.join(' '),
        removesFrom,
      },
    })
    const tightened = findTightened(before?.rules ?? keepEverything, rules)
    // Also the admin who did it, because somebody else may have their key.
    if (tightened)
      await notify(tx, {
        type: 'retention.tightened',
        organizationId,
        source: `retention.tightened:${organizationId}:${updatedAt}`,
        actor: context.caller?.actor ?? null,
        subject: { type: 'retention', id: organizationId },
        payload: { ...tightened, removes_from: removesFrom },
        to: { roles: ['admin'] },
      })
    return toPolicy(saved)
  })
