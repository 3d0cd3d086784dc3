import type { Guidance } from '#contract/runs.ts'

const maxLimitSeconds = 86_400

export type TimedOut = {
  experimentId: string
  hit: boolean
  /** The budget that applied, in seconds; null when no limit was recorded. */
  budgetSeconds: number | null
  /** Whether this caller may push a new version. */
  mayAct: boolean
}

/**
 * What to do about a run that reached its time limit; empty for every other run.
 * Action label and URL are empty when the caller may not act on it.
 */
export function guidanceFor({ experimentId, hit, budgetSeconds, mayAct }: TimedOut): Guidance[] {
  if (!hit || budgetSeconds === null) return []
  const suggested = Math.min(Math.max(1, Math.ceil(budgetSeconds)) * 2, maxLimitSeconds)
  if (suggested <= budgetSeconds) return []
  return [
    {
      kind: 'raise_time_limit',
      title: `Ran out of time after ${inWords(budgetSeconds)}`,
      message: mayAct
        ? `The agent was stopped before it finished and its tests did not run. Raise limits.maxTimeSeconds to ${suggested} (${inWords(suggested)}) and submit again.`
        : `The agent was stopped before it finished and its tests did not run. Ask someone who may change the experiment to raise its limit to ${inWords(suggested)}.`,
      actionLabel: mayAct ? `Raise the limit to ${inWords(suggested)}` : '',
      actionUrl: mayAct
        ? `/experiments/${encodeURIComponent(experimentId)}/definition?maxTimeSeconds=${suggested}`
        : '',
      planKey: '',
      suggestedMaxTimeSeconds: suggested,
    },
  ]
}

function inWords(seconds: number) {
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 6) / 10} h`
}
