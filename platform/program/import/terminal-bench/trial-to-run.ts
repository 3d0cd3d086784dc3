import { countOutcomes } from '#contract/outcomes.ts'
import type { Variant } from '#contract/variants.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import { compositeRunId } from '#contract/wire/run-id.ts'
import { toInstant } from '#platform/ground/database/instants.ts'
import type { runs } from '#platform/ground/database/tables/runs.ts'
import { failureModeOf } from './failure-modes.ts'
import type { RunDirectory } from './find-run-directories.ts'
import type { Trial } from './results-file.ts'
import { shortHash } from './stable-id.ts'
import type { TrialTest } from './trial-tests.ts'

type NewRun = typeof runs.$inferInsert

/** The values shared by the runs of one directory. */
export type RunOrigin = Pick<
  NewRun,
  'organizationId' | 'requestId' | 'experimentId' | 'fingerprint' | 'ordinal' | 'triggeredBy'
> & { directoryTime: string }

export type TrialRun = { id: string; variant: Variant; repeat: number; trial: Trial; tests: readonly TrialTest[] }

/** The row of a trial: ended, with the published measurements and null for the rest. Seconds are the agent's own. */
export function toRun(
  { directoryTime, ...origin }: RunOrigin,
  { id, variant, repeat, trial, tests }: TrialRun,
): NewRun {
  const { status, reason, timeLimitHit } = failureModeOf(trial.failure_mode)
  const counts = countOutcomes(tests.map((test) => test.outcome))
  const startedAt = readTime(trial.trial_started_at)
  const endedAt = readTime(trial.trial_ended_at) ?? startedAt ?? directoryTime
  return {
    ...origin,
    ...variant,
    ...tokensOf(trial),
    id,
    compositeId: compositeRunId(variant.variantId, shortHash(id)),
    repeat,
    mock: false,
    status,
    statusReason: reason,
    attempt: 1,
    timeLimitHit,
    testsPassed: counts.passed,
    testsFailed: counts.failed,
    testsUnresolved: counts.unresolved,
    testsErrored: counts.errored,
    testsSkipped: counts.skipped,
    wallSeconds: secondsBetween(trial.agent_started_at, trial.agent_ended_at),
    createdAt: startedAt ?? directoryTime,
    startedAt,
    endedAt,
    statusUpdatedAt: endedAt,
  }
}

/** Agents that count no tokens publish zeros. A conversation always uses tokens, so zeros are not a measurement. */
function tokensOf({ total_input_tokens: input, total_output_tokens: output }: Trial) {
  if (!input && !output) return { inputTokens: null, outputTokens: null, totalTokens: null }
  const total = typeof input === 'number' && typeof output === 'number' ? input + output : null
  return {
    inputTokens: input ?? null,
    outputTokens: output ?? null,
    // A sum above 2^53 − 1 is not exact.
    totalTokens: Number.isSafeInteger(total) ? total : null,
  }
}

function readTime(text: string | null | undefined): string | null {
  if (!text) return null
  // Times without an offset are UTC; with one, the database converts and keeps the microseconds.
  const hasOffset = /(Z|[+-]\d\d:?\d\d)$/.test(text)
  const time = toInstant(hasOffset ? text.replace(/([+-]\d\d):?(\d\d)$/, '$1:$2') : `${text}Z`)
  return Timestamp.safeParse(time).success ? time : null
}

function secondsBetween(start: string | null | undefined, end: string | null | undefined) {
  const from = readTime(start)
  const to = readTime(end)
  return from && to ? Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000) : null
}

/** The start of a run directory's trials: from its first trial, its metadata, or the date in its path. */
export function timeOf({ trials, metadata, path }: RunDirectory): string | null {
  const starts = trials.map(({ trial }) => readTime(trial.trial_started_at)).filter((time) => time !== null)
  const first = starts.sort((a, b) => Date.parse(a) - Date.parse(b))[0]
  const [, year, month, day] = /\/(20\d\d)(\d\d)(\d\d)_[^/]*/.exec(path) ?? []
  return first ?? readTime(metadata?.start_time) ?? readTime(year && `${year}-${month}-${day}T00:00:00Z`)
}
