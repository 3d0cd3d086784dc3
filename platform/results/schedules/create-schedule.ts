import { v7 as newId } from 'uuid'

import type { VerbInput } from '#contract/endpoint.ts'
import type { createSchedule as endpoint, Schedule } from '#contract/schedules.ts'
import { limits } from '#contract/wire/limit.ts'
import { audited } from '#platform/people/audit/audited.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { conflict, exhausted, invalidFields } from '#platform/ground/failures/failure.ts'
import { readSubmission } from '#platform/queue/runs/read-submission.ts'
import { requireSchedule } from './require-schedule.ts'
import { countSchedules, findNewestOrdinal, insertSchedule, lockOrganization } from './store.ts'
import { nextStart, requireReasonable } from './times.ts'
import { toSchedule } from './to-schedule.ts'

type Input = VerbInput<typeof endpoint>

/**
 * POST /schedules: the caller becomes the owner. The submission must be valid for the version that it would start now.
 * Errors: `invalid_argument`, `not_found` for the experiment, `already_exists` for a used name, `resource_exhausted` at
 * the limit of schedules.
 */
export async function createSchedule(context: Context, input: Input): Promise<Schedule> {
  const { caller, organization } = context
  const id = newId()
  await audited(context, async (tx, record) => {
    await lockOrganization(tx, organization.id)
    await requireSubmittable({ ...context, db: tx }, input)
    if ((await countSchedules(tx, organization.id)) >= limits.schedulesPerOrganization)
      throw exhausted(`This organization already has ${limits.schedulesPerOrganization} schedules. Delete one first`)
    const now = await clockNow(tx)
    requireReasonable(input.trigger, now)
    const isNew = await insertSchedule(tx, {
      ...input,
      id,
      organizationId: organization.id,
      isEnabled: true,
      ownerId: caller.recordedUnder,
      createdAt: now,
      updatedAt: now,
      nextAt: nextStart(input.trigger, now),
      lastOrdinal: await startsAfter(tx, { ...input, organizationId: organization.id }),
    })
    if (!isNew) throw nameTaken(input.name)
    const { name, experimentId } = input
    record({
      event: 'schedule.create',
      organizationId: organization.id,
      subject: id,
      details: { name, experimentId },
    })
  })
  return toSchedule(context, await requireSchedule(context, id), undefined)
}

export const nameTaken = (name: string) => conflict(`This experiment already has a schedule named "${name}"`)

/** A schedule that waits for a push starts with the version after the current one. */
export const startsAfter = async (
  tx: Context['db'],
  { trigger, ...key }: Pick<Input, 'trigger'> & { organizationId: string; experimentId: string },
) => (trigger.kind === 'push' ? findNewestOrdinal(tx, key) : null)

/** Errors: `not_found`, and `invalid_argument` for a submission that would be refused, or a fixed version after a push. */
export async function requireSubmittable(
  context: Context,
  { experimentId, trigger, submission }: Pick<Input, 'experimentId' | 'trigger' | 'submission'>,
) {
  if (trigger.kind === 'push' && submission.version)
    throw invalidFields([
      { path: ['submission', 'version'], message: 'must be left out: each push starts its own version' },
    ])
  if (Buffer.byteLength(JSON.stringify(submission)) > limits.scheduleSubmissionBytes)
    throw invalidFields([{ path: ['submission'], message: 'must not have more than 50 kB: select fewer items' }])
  await readSubmission(context, { ...submission, id: experimentId })
}
