import { isDeepStrictEqual } from 'node:util'

import { v7 as newId } from 'uuid'

import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { commitTogether } from '#platform/ground/database/commit-together.ts'
import { type Database, isEmbedded } from '#platform/ground/database/open-database.ts'
import { maxParts } from '#platform/ground/database/unfinished-groups.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { countQueuedRuns } from '#platform/inputs/experiments/count-queued-runs.ts'
import { hasVersion } from '#platform/inputs/experiments/find-version.ts'
import { holdCredit, holdsOf, planHold, readCharges } from '#platform/inputs/credits/reserve-credit.ts'
import { type Plan, planRequest, queueRuns, type RunsToQueue, storeRequest, toCharge } from './queue-runs.ts'
import { insertRuns } from './store.ts'

/** One transaction of so many runs holds up nobody. */
const atOnce = 100

/** What the caller does in the transaction that makes the runs visible. What it throws undoes all of it. */
type Alongside = {
  /** Claims the request, before anything is stored. Returns the id of what the caller already has instead, or null. */
  claim: (tx: Database, requestId: string) => Promise<string | null>
  /** Called with the request in place. */
  record: (tx: Database, requestId: string) => Promise<void>
}

/** Queues a request with its runs, all of it or nothing, and returns its id. Errors: those of `queueRuns`. */
export async function queueSubmission(
  context: Context,
  submission: RunsToQueue,
  alongside: Alongside,
): Promise<string> {
  const { db } = context
  const runCount = submission.wanted.reduce((sum, { repeats }) => sum + repeats, 0)
  const inParts = isEmbedded(db) && runCount > atOnce ? await queueInParts(context, submission, alongside) : null
  if (inParts !== null) return inParts
  return db.transaction(async (tx) => {
    const id = newId()
    const existing = await alongside.claim(tx, id)
    if (existing !== null) return existing
    await queueRuns(context, tx, submission, id)
    await alongside.record(tx, id)
    return id
  })
}

/**
 * Ten thousand runs take the embedded database seconds, in which nobody else could use it. Returns null, and queues nothing, if the
 * credit of real runs must be taken from other lots than it had to be at the start.
 */
async function queueInParts(
  context: Context,
  submission: RunsToQueue,
  { claim, record }: Alongside,
): Promise<string | null> {
  const { db } = context
  const requestId = newId()
  const plan = planRequest(context, submission, { requestId, now: await clockNow(db) })
  const { order, newRun, request } = plan
  const credit = submission.mock ? null : await planCredit(context, submission, plan)
  const size = Math.max(atOnce, Math.ceil(order.length / maxParts))
  const starts = Array.from({ length: Math.ceil(order.length / size) }, (_, index) => index * size)
  const counts = new Map<'queued' | 'waiting_for_ci', number>()
  let id: string | null = null
  await commitTogether(db, {
    parts: starts.map((start) => async (tx) => {
      const runs = await insertRuns(tx, order.slice(start, start + size), newRun)
      for (const { status } of runs) counts.set(status, (counts.get(status) ?? 0) + 1)
      await credit?.storeHolds(tx, runs)
    }),
    async end(tx) {
      id = await claim(tx, requestId)
      if (id !== null) return false
      if (!(await hasVersion(tx, request))) throw notFound('This version was removed meanwhile')
      await storeRequest(tx, plan)
      await record(tx, requestId)
      for (const [status, runs] of counts) await countQueuedRuns(tx, { ...request, status }, runs)
      // Last, because it locks the organization's credit until the commit.
      if (credit && !(await credit.hold(tx))) throw new LotsChanged()
      id = requestId
      return true
    },
  }).catch((error: unknown) => {
    if (!(error instanceof LotsChanged)) throw error
  })
  return id
}

class LotsChanged extends Error {}

/**
 * The holds of real runs say which lots of credit they are taken from. They are stored before the credit is locked, so the lots are planned, and
 * `hold` returns false if they are others now. Refuses what the credit does not cover before anything is stored.
 */
async function planCredit(context: Context, submission: RunsToQueue, plan: Plan) {
  const charges = await readCharges(context, context.db, toCharge(submission, plan))
  const planned = await context.db.transaction((tx) => planHold(context, tx, charges))
  return {
    storeHolds: holdsOf(context, charges, planned),
    hold: async (tx: Database) => isDeepStrictEqual(await holdCredit(context, tx, charges, plan.request.id), planned),
  }
}
