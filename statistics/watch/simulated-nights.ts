import { meanOf } from '#statistics/moments.ts'
import { sampleNormal } from '#statistics/simulated-scenarios.ts'
import { findDecline } from './decline.ts'
import { type CountsByCell, findDrop, poolCounts } from './drop.ts'
import { pooledStarts, trendStarts } from './pool-sizes.ts'

type Random = () => number

/** `shift` changes the solved rate of a night, as a share. `nightSpread`: the standard deviation between nights, on the scale of log odds. */
export type World = {
  title: string
  prompts: number
  repeats: number
  nights: number
  shift?: (night: number) => number
  nightSpread?: number
}

/** The first night on which a drop was confirmed, and on which a decline was shown; Infinity for never. */
export type Watched = { drop: number; decline: number; reruns: number }

function drawNights(random: Random, { prompts, repeats, shift = () => 0, nightSpread = 0 }: World) {
  const levels = Array.from({ length: prompts }, () => 0.5 + 1.5 * sampleNormal(random))
  return (night: number): CountsByCell => {
    const luck = nightSpread * sampleNormal(random)
    return new Map(
      levels.map((level, prompt) => {
        const rate = Math.min(1, Math.max(0, 1 / (1 + Math.exp(-level - luck)) + shift(night)))
        const solved = Array.from({ length: repeats }, () => random() < rate).filter(Boolean).length
        return [String(prompt), { runs: repeats, solved }]
      }),
    )
  }
}

/** The series of a schedule: a suspected drop is run again, and what passed is pooled, as `platform/results/schedules/` does it. */
export function watchNights(random: Random, world: World, level = 0.05): Watched {
  const draw = drawNights(random, world)
  const [passed, all]: [CountsByCell[], CountsByCell[]] = [[], []]
  const found: Watched = { drop: Infinity, decline: Infinity, reruns: 0 }
  for (let night = 0; night < world.nights; night += 1) {
    const start = draw(night)
    const baseline = poolCounts(passed.slice(-pooledStarts))
    all.push(start)
    if (findDecline(all.slice(-trendStarts), level)) found.decline = Math.min(found.decline, night)
    if (findDrop(start, baseline, level).kind !== 'drop') {
      passed.push(start)
      continue
    }
    found.reruns += 1
    const again = draw(night)
    if (findDrop(again, baseline, level).kind === 'drop') found.drop = Math.min(found.drop, night)
    else passed.push(start, again)
  }
  return found
}

/** The rule before: each start is compared with the newest one that passed, and fails at once. */
export function firstDropBefore(random: Random, world: World, level = 0.05): number {
  const draw = drawNights(random, world)
  let baseline = draw(0)
  for (let night = 1; night < world.nights; night += 1) {
    const start = draw(night)
    if (findDrop(start, baseline, level).kind === 'drop') return night
    baseline = start
  }
  return Infinity
}

export const shareOf = (found: readonly boolean[]) => meanOf(found.map(Number))
