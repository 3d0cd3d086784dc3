import type { CostLimitScope, Guidance } from '#contract/runs.ts'

const maxLimitUsd = 100_000

export type CostLimited = {
  experimentId: string
  /** The limit that ended runs, or null. */
  hit: CostLimitScope | null
  maxCostUsd: number
  /** Whether this caller can push a new version. */
  mayAct: boolean
}

/** Returns the guidance for a run whose model calls reached a cost limit, and nothing for any other run. */
export function costGuidance({ experimentId, hit, maxCostUsd, mayAct }: CostLimited): Guidance[] {
  if (hit === null) return []
  const page = `/experiments/${encodeURIComponent(experimentId)}`
  const rest = { planKey: '', suggestedMaxTimeSeconds: 0 }
  if (hit === 'request')
    return [
      {
        kind: 'raise_budget',
        title: `The submission reached its budget of $${maxCostUsd}`,
        message: 'Tests did not run. Submit the missing runs again with a larger budget.',
        actionLabel: mayAct ? 'Open the experiment' : '',
        actionUrl: mayAct ? page : '',
        ...rest,
      },
    ]
  const suggested = Math.min(maxCostUsd * 2, maxLimitUsd)
  return [
    {
      kind: 'raise_cost_limit',
      title: `Stopped at the cost limit of $${maxCostUsd}`,
      message: mayAct
        ? `Tests did not run. Raise limits.maxCostUsd, for example to ${suggested}, and resubmit.`
        : `Tests did not run. Ask someone who can change the experiment to raise its cost limit, for example to $${suggested}.`,
      actionLabel: mayAct ? 'Open the definition' : '',
      actionUrl: mayAct ? `${page}/definition` : '',
      ...rest,
    },
  ]
}
