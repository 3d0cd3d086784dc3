import type { LeaderboardGroup, LeaderboardSummary } from '#contract/leaderboard.ts'
import type { ClaimOfReviewers, MeasuredEnding } from '#contract/run-endings.ts'

/** How runs count whose failure may not be the agent's. */
export type CountingRules = {
  timeouts: 'failed' | 'left out'
  infrastructure: 'left out' | 'failed'
  neverStarted: 'left out' | 'failed'
  disputes: 'measured' | 'reviewed'
}

/** The rules of every leaderboard. */
export const usualRules: CountingRules = {
  timeouts: 'failed',
  infrastructure: 'left out',
  neverStarted: 'left out',
  disputes: 'measured',
}

/** The runs of a group on one prompt: those that count, those of them that are solved, and those left out. */
export type CountedRuns = { solved: number; runs: number; leftOut: number }

/** Runs without a test that counts have no outcome that anything could reveal, so they are not even left out. */
function countsAs(ending: MeasuredEnding, claimed: ClaimOfReviewers | null, rules: CountingRules) {
  const { timeouts, infrastructure, neverStarted, disputes } = rules
  if (disputes === 'reviewed' && claimed !== null && claimed !== 'unclear')
    return claimed === 'solved' ? 'solved' : 'failed'
  switch (ending) {
    case 'timed_out':
      return timeouts
    case 'infrastructure':
      return infrastructure
    case 'never_started':
      return neverStarted
    case 'canceled':
      return 'left out'
    case 'solved':
    case 'failed':
    case 'untested':
      return ending
  }
}

/** What the rules make of a group's runs, by the place of the prompt; null for a figure from before endings. */
export function countedRuns({ endings }: LeaderboardGroup, rules: CountingRules): Map<number, CountedRuns> | null {
  if (!endings) return null
  const byPrompt = new Map<number, CountedRuns>()
  for (const [place, ending] of endings.ending.entries()) {
    const [prompt = 0, runs = 0, claimed = null] = [endings.prompt[place], endings.runs[place], endings.claimed[place]]
    const found = byPrompt.get(prompt) ?? { solved: 0, runs: 0, leftOut: 0 }
    const as = countsAs(ending, claimed, rules)
    if (as === 'left out') found.leftOut += runs
    if (as === 'solved' || as === 'failed') found.runs += runs
    if (as === 'solved') found.solved += runs
    byPrompt.set(prompt, found)
  }
  return byPrompt
}

/** The same leaderboard with other runs solved, failed or left out. Only what groups solve changes. */
export const withRules = (summary: LeaderboardSummary, rules: CountingRules): LeaderboardSummary => ({
  ...summary,
  groups: summary.groups.map((group) => {
    const byPrompt = countedRuns(group, rules)
    return byPrompt ? { ...group, prompts: talliesOf(group, byPrompt) } : group
  }),
})

function talliesOf({ prompts }: LeaderboardGroup, byPrompt: ReadonlyMap<number, CountedRuns>) {
  const all = [...byPrompt].toSorted(([a], [b]) => a - b)
  const ranks = new Map(prompts.prompt.map((prompt, place) => [prompt, place]))
  const kept = <Value>(column: readonly Value[], none: Value) =>
    all.map(([prompt]) => column[ranks.get(prompt) ?? -1] ?? none)
  return {
    prompt: all.map(([prompt]) => prompt),
    runs: all.map(([, { runs }]) => runs),
    solved: all.map(([, { solved }]) => solved),
    scored: kept(prompts.scored, 0),
    passRate: kept(prompts.passRate, null),
    passRateVariance: kept(prompts.passRateVariance, null),
  }
}
