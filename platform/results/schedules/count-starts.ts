import type { Database } from '#platform/ground/database/open-database.ts'
import type { CountsByCell } from '#statistics/watch/drop.ts'
import { pooledStarts, trendStarts } from '#statistics/watch/pool-sizes.ts'
import { countOutcomes, findEarlier, findPassed, findRemoved } from './gate-store.ts'
import type { CountedStart } from './judge-gate.ts'
import { findStart, type StartRow } from './starts-store.ts'

/**
 * Reads what the gate of a start needs: its runs, those of its baseline, and those of the starts before it. A start that
 * runs another one again has the baseline of that one.
 */
export async function countForGate(db: Database, start: StartRow, requestId: string) {
  const suspected = start.confirmsId === null ? start : await findStart(db, start.scheduleId, start.confirmsId)
  const at = suspected ?? start
  const passed = await findPassed(db, at, pooledStarts)
  const earlier = start.confirmsId === null ? await findEarlier(db, at, trendStarts - 1) : []
  const requestIds = [...new Set([...passed, ...earlier].flatMap((each) => each.requestId ?? []))]
  const [outcomes, removed] = await Promise.all([
    countOutcomes(db, [...requestIds, requestId]),
    findRemoved(db, requestIds),
  ])
  const byRequest = Map.groupBy(outcomes, (row) => row.requestId)
  const countsOf = (id: string): CountsByCell =>
    new Map((byRequest.get(id) ?? []).filter((row) => row.runs > 0).map((row) => [row.variantId, row]))
  const whole = (starts: readonly StartRow[]): CountedStart[] =>
    starts.flatMap((each) =>
      each.requestId === null || removed.has(each.requestId) ? [] : [{ start: each, counts: countsOf(each.requestId) }],
    )
  const own = byRequest.get(requestId) ?? []
  return {
    start,
    counts: countsOf(requestId),
    hitBudget: own.some((row) => row.hitBudget),
    hasCanceled: own.some((row) => row.hasCanceled),
    baseline: { starts: whole(passed), isRemoved: passed.length > 0 },
    earlier: whole(earlier).toReversed(),
  }
}
