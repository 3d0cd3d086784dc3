import type { MatchedCell } from './match-cells.ts'
import { meanOf } from './moments.ts'

/**
 * The smallest p-value that any outcome could have: the two extreme labelings among all ways to label the runs of each
 * cell left or right. If it is not below 0.05, no difference can be significant.
 */
export function smallestPossibleP(cells: readonly { left: number; right: number }[]) {
  const waysLog = cells.reduce((sum, { left, right }) => sum + logChoose(left + right, left), 0)
  return Math.min(1, 2 * Math.exp(-waysLog))
}

function logChoose(all: number, some: number) {
  let sum = 0
  for (let place = 1; place <= some; place += 1) sum += Math.log((all - some + place) / place)
  return sum
}

const shuffles = 1999

/** How often random labels within each cell produce a difference at least this large (Fisher 1935). */
export function permutationP(
  cells: readonly Pick<MatchedCell, 'left' | 'right'>[],
  estimate: number,
  random: () => number,
) {
  const reached = Math.abs(estimate) * (1 - 1e-9)
  const pools = cells.map(({ left, right }) => ({ pool: [...left, ...right], size: left.length }))
  let asLarge = 0
  for (let shuffle = 0; shuffle < shuffles; shuffle += 1) {
    let sum = 0
    for (const { pool, size } of pools) {
      drawFirst(pool, size, random)
      sum += meanOf(pool.slice(0, size)) - meanOf(pool.slice(size))
    }
    if (Math.abs(sum / cells.length) >= reached) asLarge += 1
  }
  return (asLarge + 1) / (shuffles + 1)
}

/** Moves `size` randomly chosen runs to the front (Fisher and Yates). */
function drawFirst(pool: number[], size: number, random: () => number) {
  for (let place = 0; place < size; place += 1) {
    const chosen = place + Math.floor(random() * (pool.length - place))
    const value = pool[chosen] ?? 0
    pool[chosen] = pool[place] ?? 0
    pool[place] = value
  }
}
