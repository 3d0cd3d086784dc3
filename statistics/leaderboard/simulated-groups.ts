import type { ByPrompt } from './paired-difference.ts'
import { type RunSummary, summarizeSolved } from '#statistics/run-summary.ts'
import { type Random, sampleNormal } from '#statistics/simulated-scenarios.ts'

/** A world of several groups. Prompts differ in how hard they are, and in which group they favor. */
export type GroupWorld = {
  title: string
  prompts: number
  runs: number
  /** How much better each group is, in logits, averaged over all prompts. Groups with the same number are equal. */
  strengths: readonly number[]
  /** How strongly single prompts favor one group. */
  lean: number
  /** How much prompts differ in how hard they are; 1.5 if not given. */
  spread?: number
  /** So many prompts in a row are variants of one task, which are as hard and favor the same group. */
  variants?: number
}

const equal = (size: number, strength = 0) => Array.from({ length: size }, () => strength)

export const groupWorlds: GroupWorld[] = [
  { title: '9 equal groups, 20 prompts × 5', prompts: 20, runs: 5, strengths: equal(9), lean: 0.5 },
  { title: '9 equal groups, 80 prompts × 5', prompts: 80, runs: 5, strengths: equal(9), lean: 0.5 },
  { title: '8 equal groups, 40 prompts × 3', prompts: 40, runs: 3, strengths: equal(8), lean: 1 },
  { title: '2 equal groups ahead of 7 equal ones', prompts: 40, runs: 5, strengths: [2, 2, ...equal(7)], lean: 0.5 },
  { title: '1 group ahead of 8 equal ones', prompts: 40, runs: 5, strengths: [2, ...equal(8)], lean: 0.5 },
  { title: '3 pairs of equal groups', prompts: 40, runs: 5, strengths: [3, 3, 1.5, 1.5, 0, 0], lean: 0.5 },
  { title: '3 equal groups, 10 prompts × 5', prompts: 10, runs: 5, strengths: equal(3), lean: 0.5 },
]

/** One experiment with randomly drawn prompts. */
export function simulateGroups(random: Random, world: GroupWorld) {
  const { prompts, runs, strengths, lean, spread = 1.5, variants = 1 } = world
  const hardness = Array.from({ length: prompts / variants }, () => spread * sampleNormal(random))
  return strengths.map((strength, place) => {
    let ofTask = 0
    const solved = Array.from({ length: prompts }, (_, prompt): [string, RunSummary] => {
      const task = Math.floor(prompt / variants)
      if (prompt % variants === 0) ofTask = lean * sampleNormal(random)
      const chance = 1 / (1 + Math.exp((hardness[task] ?? 0) - strength - ofTask))
      let count = 0
      for (let run = 0; run < runs; run += 1) if (random() < chance) count += 1
      return [String(prompt), summarizeSolved({ runs, solved: count, ...(variants > 1 && { task: String(task) }) })]
    })
    return { group: String(place), prompts: new Map(solved) satisfies ByPrompt }
  })
}

/** A world of two groups that are equal on every prompt, with their runs of each prompt. */
export type PairWorld = { title: string; chances: readonly number[]; left: number; right: number }

const spread = (size: number, low: number, high: number) =>
  Array.from({ length: size }, (_, place) => low + ((high - low) * (place + 0.5)) / size)

/** Twenty worlds without a difference on these prompts: easy, hard and mixed ones, few and many runs, even and uneven. */
export const pairWorlds: PairWorld[] = (
  [
    ['mixed', (size: number) => spread(size, 0, 1)],
    ['nearly always solved', (size: number) => spread(size, 0.9, 1)],
    ['hardly ever solved', (size: number) => spread(size, 0, 0.1)],
    ['0.97 or 0.05', (size: number) => spread(size, 0, 1).map((at) => (at < 0.75 ? 0.97 : 0.05))],
  ] as const
).flatMap(([kind, chancesOf]) =>
  (
    [
      [4, 5, 5],
      [10, 2, 30],
      [10, 5, 5],
      [20, 3, 10],
      [80, 5, 5],
    ] as const
  ).map(([prompts, left, right]) => ({
    title: `${kind}, ${prompts} prompts × ${left} and ${right}`,
    chances: chancesOf(prompts),
    left,
    right,
  })),
)

export const drawSolved = (random: Random, chances: readonly number[], runs: number): ByPrompt =>
  new Map(
    chances.map((chance, prompt) => {
      let solved = 0
      for (let run = 0; run < runs; run += 1) if (random() < chance) solved += 1
      return [String(prompt), summarizeSolved({ runs, solved })]
    }),
  )

/** A population of prompts with this mean share. `alike` is the correlation of two runs of the same prompt. */
export type RateWorld = { share: number; prompts: number; runs: number; alike: number }

export const rateWorlds: RateWorld[] = [0.5, 0.8, 0.9, 0.95].flatMap((share) =>
  [10, 20, 80].flatMap((prompts) =>
    [1, 5].flatMap((runs) => [0, 0.1, 0.3].map((alike) => ({ share, prompts, runs, alike }))),
  ),
)

/** The solved runs of one randomly drawn prompt, beta-binomial: each run follows those before it, as in Pólya’s urn. */
export function drawPrompt(random: Random, { share, runs, alike }: RateWorld) {
  const drawn = alike === 0 ? Infinity : 1 / alike - 1
  let solved = 0
  for (let run = 0; run < runs; run += 1) {
    const chance = drawn === Infinity ? share : (share * drawn + solved) / (drawn + run)
    if (random() < chance) solved += 1
  }
  return summarizeSolved({ runs, solved })
}
