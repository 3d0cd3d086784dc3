import type { Guidance } from '#contract/runs.ts'

const maxLimitSeconds = 86_400
/** Keeps the link to the editor shorter than browsers and proxies allow. */
const maxPrompts = 60

export type TimedOut = {
  experimentId: string
  /** The prompts that timed out with this limit. */
  prompts: readonly string[]
  hit: boolean
  /** The time limit that applied, in seconds; null if none was recorded. */
  budgetSeconds: number | null
  /** Whether this caller can push a new version. */
  mayAct: boolean
}

/**
 * Returns the guidance for a run that ran out of time, and nothing for any other run. Action label and URL are empty if the caller cannot act on it.
 */
export function timeLimitGuidance({ experimentId, prompts, hit, budgetSeconds, mayAct }: TimedOut): Guidance[] {
  if (!hit || budgetSeconds === null) return []
  const suggested = Math.min(Math.max(1, Math.ceil(budgetSeconds)) * 2, maxLimitSeconds)
  if (suggested <= budgetSeconds) return []
  const raise = new URLSearchParams([
    ['maxTimeSeconds', `${suggested}`],
    ...prompts.slice(0, maxPrompts).map((id) => ['prompt', id]),
  ])
  return [
    {
      kind: 'raise_time_limit',
      title: `Timed out after ${inWords(budgetSeconds)}`,
      message: mayAct
        ? `Tests did not run. Raise limits.maxTimeSeconds to ${suggested} (${inWords(suggested)}) and resubmit.`
        : `Tests did not run. Ask someone who can change the experiment to raise its limit to ${inWords(suggested)}.`,
      actionLabel: mayAct ? `Raise the limit to ${inWords(suggested)}` : '',
      actionUrl: mayAct ? `/experiments/${encodeURIComponent(experimentId)}/definition?${raise}` : '',
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
