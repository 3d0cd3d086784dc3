import { and, asc, count, eq, inArray, notExists, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { experiments } from '#platform/ground/database/tables/experiments.ts'
import { notify } from '#platform/people/notifications/notify.ts'
import { decisions } from '#platform/ground/database/tables/decisions.ts'
import { runRequests, runs } from '#platform/ground/database/tables/runs.ts'
import { isSolved } from '#platform/ground/database/tables/solved-runs.ts'

/**
 * Notifies the submitters of those requests whose last run has ended, once per request. Call it once, as the last step
 * of the transaction that ended the runs. It locks the requests in id order, so the transaction that commits last sees
 * that no run is left.
 */
export async function notifyFinishedRequests(tx: Database, requestIds: ReadonlySet<string>) {
  if (requestIds.size === 0) return
  const isTouched = inArray(runRequests.id, [...requestIds])
  // Without this lock, two transactions that each end one of the last two runs would both see the other run as still
  // running.
  await tx
    .select({ id: runRequests.id })
    .from(runRequests)
    .where(isTouched)
    .orderBy(asc(runRequests.id))
    .for('no key update')
  const unfinished = tx
    .select({ one: sql`1` })
    .from(runs)
    .where(and(eq(runs.requestId, runRequests.id), sql`${runs.status} in ('queued', 'waiting_for_ci', 'running')`))
  const finished = await tx
    .select({ request: runRequests, experimentName: experiments.name, stopped: decisions.stopped })
    .from(runRequests)
    .innerJoin(
      experiments,
      and(eq(experiments.organizationId, runRequests.organizationId), eq(experiments.id, runRequests.experimentId)),
    )
    .leftJoin(decisions, eq(decisions.requestId, runRequests.id))
    .where(and(isTouched, notExists(unfinished)))
    .orderBy(asc(runRequests.organizationId), asc(runRequests.id))
  for (const { request, experimentName, stopped } of finished) {
    await notify(tx, {
      type: 'run_request.finished',
      organizationId: request.organizationId,
      source: `run_request.finished:${request.id}`,
      actor: null,
      subject: { type: 'run_request', id: request.id },
      payload: {
        experiment_id: request.experimentId,
        experiment_name: experimentName,
        ordinal: request.ordinal,
        ...(await countEndings(tx, request.id)),
        ...(stopped && { stopped: stopped.reason }),
      },
      to: { userIds: [request.triggeredBy] },
    })
  }
}

async function countEndings(tx: Database, requestId: string) {
  const rows = await tx
    .select({
      status: runs.status,
      runs: count(),
      solved: sql<number>`(count(*) filter (where ${isSolved}))::int`,
      counted: sql<number>`(count(*) filter (where ${isSolved} is not null))::int`,
    })
    .from(runs)
    .where(eq(runs.requestId, requestId))
    .groupBy(runs.status)
  const endedAs = (status: string) => rows.find((row) => row.status === status)?.runs ?? 0
  const sumOf = (name: 'solved' | 'counted') => rows.reduce((sum, row) => sum + row[name], 0)
  const solved = { solved: sumOf('solved'), runs: sumOf('counted') }
  return { completed: endedAs('completed'), errored: endedAs('errored'), canceled: endedAs('canceled'), solved }
}
