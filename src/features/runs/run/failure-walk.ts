import type { TestOutcome } from '#src/api/request-tests.ts'
import { failingFirst, needsAttention } from './test-order.ts'

/** A test of a run by its composite id. Without a test it is the run as a whole. */
export type FailurePosition = { runId: string; testName: string | null }
export type Failure = { runId: string; testName: string }

/**
 * A long request loads in part. The open run and its tests always count, so that no failed run claims to have no
 * failures.
 */
export const withRun = (runId: string, runIds: readonly string[]) =>
  runIds.includes(runId) ? runIds : [...runIds, runId]

export const withTestsOf = (runId: string, ofRun: readonly TestOutcome[], loaded: readonly TestOutcome[]) =>
  ofRun.length === 0 ? loaded : [...loaded.filter((test) => test.runId !== runId), ...ofRun]

/** Every failure of a request, in the order of its runs and of each run's page. */
export function listFailures(runIds: readonly string[], tests: readonly TestOutcome[]): Failure[] {
  const byRun = Map.groupBy(tests.filter(needsAttention), ({ runId }) => runId)
  return runIds.flatMap((runId) => failingFirst(byRun.get(runId) ?? []).map(({ testName }) => ({ runId, testName })))
}

export const failureIndex = (failures: readonly Failure[], { runId, testName }: FailurePosition) =>
  failures.findIndex((failure) => failure.runId === runId && failure.testName === testName)

/**
 * The next or previous failure, with wrap-around. From a passed test it is the nearest failure in its run or beyond.
 */
export function neighborFailure(
  failures: readonly Failure[],
  runIds: readonly string[],
  place: FailurePosition,
  step: 1 | -1,
): Failure | null {
  if (failures.length === 0) return null
  const at = failureIndex(failures, place)
  if (at !== -1) return failures[(at + step + failures.length) % failures.length] ?? null
  const order = new Map(runIds.map((runId, index) => [runId, index]))
  const here = order.get(place.runId) ?? -1
  const runOf = ({ runId }: Failure) => order.get(runId) ?? -1
  const next =
    step === 1
      ? failures.find((failure) => runOf(failure) >= here)
      : failures.findLast((failure) => runOf(failure) <= here)
  return next ?? failures.at(step === 1 ? 0 : -1) ?? null
}
