import type { LeaderboardGroup, LeaderboardSummary } from '#contract/leaderboard.ts'
import { generalFrom, type Scope } from '#statistics/scope.ts'
import type { Solved } from './pass-at-k.ts'
import { type Rank, type RankedGroup, rankGroups } from './rank-groups.ts'
import { type PromptRuns, type Rate, rateOf } from './rate-interval.ts'

/** One group of a leaderboard, with everything that its columns show. */
export type LeaderboardRow = RankedGroup & {
  /** Its values on the axes of the grouping, joined for people. */
  label: string
  /** The same apart; one name where the grouping has no axes. */
  names: string[]
  /** Finished runs, of which those without an outcome do not count. */
  runs: number
  counted: number
  rank: Rank | null
  solved: Rate
  passRate: Rate
  /** The metric that the summary was asked for, on each prompt with a value; empty without one. */
  measured: ReadonlyMap<string, PromptRuns>
  /** Prompts that other groups have counted runs on and this one has not. */
  missingPrompts: string[]
  /** The most runs that every prompt of the group has, which bounds k. */
  repeats: number
  costPerSolved: number | null
  /** Counted runs without a known cost; the costs leave them out. */
  unpaid: number
  facts: Omit<LeaderboardGroup, 'group' | 'values' | 'runs' | 'prompts'>
}

/** How many prompts each group has counted runs on; groups without any are left out. */
const promptCounts = ({ groups }: LeaderboardSummary) =>
  groups.map(({ prompts }) => prompts.runs.filter((runs) => runs > 0).length).filter((prompts) => prompts > 0)

/** Whether a leaderboard can be about other prompts: every group has runs on two of them at least. */
export const isAboutPrompts = (summary: LeaderboardSummary) =>
  promptCounts(summary).length > 0 && promptCounts(summary).every((prompts) => prompts > 1)

/** The scope that is asked for, or else prompts like these where every group has enough of them. */
export function scopeOfLeaderboard(summary: LeaderboardSummary, asked: Scope | null): Scope {
  if (!isAboutPrompts(summary)) return 'these prompts'
  const fewest = Math.min(...promptCounts(summary))
  return asked ?? (fewest >= generalFrom ? 'prompts like these' : 'these prompts')
}

/** The groups of a leaderboard, the highest solved rate first. Groups without a run that counts come last. */
export function toRows(summary: LeaderboardSummary, scope: Scope, { isRanked = true } = {}): LeaderboardRow[] {
  const groups = summary.groups.map((group) => ({ group, solved: solvedByPrompt(summary, group) }))
  const toRank = groups.map(({ group, solved }) => ({ group: group.group, prompts: solved }))
  const ranks = isRanked ? rankGroups(toRank, scope) : null
  const covered = new Set(groups.flatMap(({ solved }) => [...solved.keys()]))
  return groups
    .map(({ group, solved }, place) =>
      toRow(group, {
        solved,
        measured: measuredByPrompt(summary, group),
        scope,
        covered,
        rank: ranks?.[place] ?? null,
      }),
    )
    .toSorted(bestFirst)
}

/** The higher solved rate first; of equal rates the better rank, so that no row has a better rank than one above it. */
const bestFirst = (a: LeaderboardRow, b: LeaderboardRow) =>
  (b.solved.share ?? -1) - (a.solved.share ?? -1) ||
  (a.rank?.rank ?? Infinity) - (b.rank?.rank ?? Infinity) ||
  (a.label < b.label ? -1 : 1)

function solvedByPrompt({ prompts }: LeaderboardSummary, { prompts: tallies }: LeaderboardGroup) {
  const solved = new Map<string, Solved>()
  for (const [place, prompt] of tallies.prompt.entries()) {
    const runs = tallies.runs[place] ?? 0
    if (runs > 0) solved.set(prompts[prompt] ?? '', { runs, solved: tallies.solved[place] ?? 0 })
  }
  return solved
}

function measuredByPrompt({ prompts }: LeaderboardSummary, { prompts: tallies }: LeaderboardGroup) {
  const measured = new Map<string, PromptRuns>()
  const { runs = [], mean = [], variance = [] } = tallies.measured ?? {}
  for (const [place, prompt] of tallies.prompt.entries()) {
    const value = mean[place] ?? null
    if (value !== null)
      measured.set(prompts[prompt] ?? '', { runs: runs[place] ?? 0, mean: value, variance: variance[place] ?? null })
  }
  return measured
}

type Rest = Pick<LeaderboardRow, 'measured' | 'rank'> & {
  solved: Map<string, Solved>
  scope: Scope
  covered: ReadonlySet<string>
}

function toRow({ group, values, runs, prompts, ...facts }: LeaderboardGroup, rest: Rest): LeaderboardRow {
  const { solved, measured, scope, covered, rank } = rest
  const tallies = [...solved.values()]
  const counted = tallies.reduce((sum, prompt) => sum + prompt.runs, 0)
  const scored = prompts.scored.map((scoredRuns, place) => ({
    runs: scoredRuns,
    mean: prompts.passRate[place] ?? 0,
    variance: prompts.passRateVariance[place] ?? null,
  }))
  const names = (values.length === 0 ? [group] : values).map((value) => value || 'none recorded')
  return {
    group,
    label: names.join(' · '),
    names,
    prompts: solved,
    runs,
    counted,
    rank: counted === 0 ? null : rank,
    solved: rateOf(tallies.map(toPromptRuns), scope),
    passRate: rateOf(scored, scope),
    measured,
    missingPrompts: [...covered].filter((prompt) => !solved.has(prompt)).sort(),
    repeats: tallies.length === 0 ? 0 : Math.min(...tallies.map((prompt) => prompt.runs)),
    costPerSolved: facts.paid.solved === 0 ? null : facts.paid.costUsd / facts.paid.solved,
    unpaid: counted - facts.paid.runs,
    facts,
  }
}

function toPromptRuns({ runs, solved }: Solved): PromptRuns {
  const mean = solved / runs
  return { runs, mean, variance: runs > 1 ? (mean * (1 - mean) * runs) / (runs - 1) : null }
}
