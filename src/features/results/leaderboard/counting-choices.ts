import type { LeaderboardSummary } from '#contract/leaderboard.ts'
import type { MeasuredEnding } from '#contract/run-endings.ts'
import { type CountingRules, usualRules } from '#statistics/leaderboard/counting-rules.ts'

/** A rule about some runs: its parameter in the URL, and the words for both ways. The first is the usual one. */
type Choice = {
  [Name in keyof CountingRules]: {
    name: Name
    param: string
    label: string
    /** The ending of the runs that it is about. */
    about: MeasuredEnding | 'disputed'
    ways: readonly [Way<CountingRules[Name]>, Way<CountingRules[Name]>]
  }
}[keyof CountingRules]
/** `alone` starts the sentence about what this way alone would change. */
type Way<Value> = { value: Value; inUrl: string; label: string; alone: string }

const out = { value: 'left out', inUrl: 'out', label: 'Leave out', alone: 'If only these were left out' } as const
const failed = {
  value: 'failed',
  inUrl: 'failed',
  label: 'Count as failed',
  alone: 'If only these counted as failed',
} as const

const countingChoices: readonly Choice[] = [
  { name: 'timeouts', param: 'timeouts', label: 'Timed out', about: 'timed_out', ways: [failed, out] },
  {
    name: 'infrastructure',
    param: 'infrastructure',
    label: 'Infrastructure',
    about: 'infrastructure',
    ways: [out, failed],
  },
  { name: 'neverStarted', param: 'never_started', label: 'Never started', about: 'never_started', ways: [out, failed] },
  {
    name: 'disputes',
    param: 'disputes',
    label: 'Disputed',
    about: 'disputed',
    ways: [
      { value: 'measured', inUrl: 'measured', label: 'As measured', alone: 'If these counted as measured' },
      {
        value: 'reviewed',
        inUrl: 'reviewed',
        label: 'As reviewed',
        alone: 'If only these counted as their reviewers say',
      },
    ],
  },
]

/** The rules that the URL names, and the usual ones. */
export function readRules(search: URLSearchParams): CountingRules {
  const chosen = countingChoices.flatMap(({ name, param, ways }) => {
    const way = ways.find(({ inUrl }) => inUrl === search.get(param))
    return way ? [[name, way.value]] : []
  })
  return { ...usualRules, ...(Object.fromEntries(chosen) as Partial<CountingRules>) }
}

/** Whether both are the same rules. */
export const areUsual = (rules: CountingRules) => countingChoices.every(({ name }) => rules[name] === usualRules[name])

/** The choices that are about any run of the leaderboard, with the number of these runs and of the disputed ones among them. */
export const choicesAbout = ({ groups }: LeaderboardSummary) =>
  countingChoices.flatMap((choice) => {
    let [runs, disputed] = [0, 0]
    for (const { endings } of groups)
      for (const [place, count] of (endings?.runs ?? []).entries()) {
        const isDisputed = (endings?.claimed[place] ?? null) !== null
        if (choice.about === 'disputed' ? !isDisputed : endings?.ending[place] !== choice.about) continue
        runs += count
        if (isDisputed) disputed += count
      }
    return runs > 0 ? [{ choice, runs, disputed: choice.about === 'disputed' ? 0 : disputed }] : []
  })
