import { type GroupWorld, simulateGroups } from '#statistics/leaderboard/simulated-groups.ts'
import type { Random } from '#statistics/simulated-scenarios.ts'
import { type CompletePrompt, judgeUntilDecided, type Look, type StoppingRule } from './until-decided.ts'

/** As published runs vary: a variance of 0.12 between the prompts’ differences, and 0.08 between runs of one prompt. */
export const published = { spread: 4, lean: 2.5 }

/** A request of one simulated experiment, until it is decided or its plan has run. */
export type SimulatedRequest = {
  /** The group that is named better than all others; null if the request is undecided. */
  named: number | null
  /** How many prompts ran. */
  prompts: number
  last: Look | undefined
  runs: CompletePrompt[]
}

export function simulateRequest(random: Random, world: GroupWorld, rule?: StoppingRule): SimulatedRequest {
  const groups = simulateGroups(random, world).map((group) => [...group.prompts.values()])
  const runs = Array.from({ length: world.prompts }, (_, prompt): CompletePrompt =>
    groups.flatMap((summaries) => summaries[prompt] ?? []),
  )
  const { looks, verdict } = judgeUntilDecided(runs, 'reached', rule)
  const last = verdict.kind === 'decided' ? looks[verdict.look] : looks.at(-1)
  const prompts = last?.prompts ?? 0
  const named = verdict.kind !== 'decided' || !last ? null : last.difference > 0 ? last.left : last.right
  return { named, prompts, last, runs: runs.slice(0, prompts) }
}
