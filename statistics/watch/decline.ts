import { sum } from '#statistics/moments.ts'
import { tailOfT } from '#statistics/student.ts'
import type { CountsByCell } from './drop.ts'

/** With fewer starts, a line through them says little. */
const fewestStarts = 8

/** A trend is judged again at every start, so a tenth of the level at which one comparison would be a drop. */
const strictness = 10

/** `slope` is the change of the solved rate from one start to the next, as a share. `first`: the place of the first start used. */
export type Decline = { slope: number; pValue: number; first: number; starts: number }

type Point = { place: number; runs: number; mean: number }

/**
 * Whether the solved rate declines over these starts, oldest first; null if that is not shown. It uses the cells that the
 * newest start has, each compared with its own mean, so cells that come or go change nothing. Two tests must agree: a
 * regression of the starts' means over their places, weighted by runs, with Student's t (starts − 2), which allows for
 * good and bad nights; and the trend test of Cochran (1954), Armitage (1955) and, for strata, Mantel (1963), which knows
 * how much single runs vary.
 */
export function findDecline(allStarts: readonly CountsByCell[], significanceLevel: number): Decline | null {
  const newest = allStarts.at(-1)
  const starts = allStarts.map((start) => new Map([...start].filter(([cell]) => newest?.has(cell))))
  const cells = cellsOf(starts)
  const points = pointsOf(starts, cells)
  if (points.length < fewestStarts) return null
  const { slope, pValue } = fitLine(points)
  if (slope >= 0) return null
  const largest = Math.max(pValue, trendP(cells))
  if (largest > significanceLevel / strictness) return null
  return { slope, pValue: largest, first: points[0]?.place ?? 0, starts: points.length }
}

type CellAtStart = { place: number; runs: number; solved: number }

function cellsOf(starts: readonly CountsByCell[]) {
  const cells = new Map<string, CellAtStart[]>()
  for (const [place, start] of starts.entries())
    for (const [cell, counts] of start) {
      const known = cells.get(cell)
      if (known) known.push({ place, ...counts })
      else cells.set(cell, [{ place, ...counts }])
    }
  return cells
}

const rateOf = (entries: readonly CellAtStart[]) =>
  sum(entries.map(({ solved }) => solved)) / sum(entries.map(({ runs }) => runs))

/** The mean of each start, as a distance from the means of its own cells. */
function pointsOf(starts: readonly CountsByCell[], cells: ReadonlyMap<string, CellAtStart[]>): Point[] {
  const rates = new Map([...cells].map(([cell, entries]) => [cell, rateOf(entries)]))
  return starts.flatMap((start, place) => {
    const runs = sum([...start.values()].map((counts) => counts.runs))
    if (runs === 0) return []
    const beyond = sum([...start].map(([cell, counts]) => counts.solved - counts.runs * (rates.get(cell) ?? 0)))
    return [{ place, runs, mean: beyond / runs }]
  })
}

function fitLine(points: readonly Point[]) {
  const weight = sum(points.map(({ runs }) => runs))
  const centerOf = (valueOf: (point: Point) => number) =>
    sum(points.map((point) => point.runs * valueOf(point))) / weight
  const [place, mean] = [centerOf((point) => point.place), centerOf((point) => point.mean)]
  const spread = sum(points.map((point) => point.runs * (point.place - place) ** 2))
  const slope = sum(points.map((point) => point.runs * (point.place - place) * (point.mean - mean))) / spread
  const rest = sum(points.map((point) => point.runs * (point.mean - mean - slope * (point.place - place)) ** 2))
  const degrees = points.length - 2
  const standardError = Math.sqrt(rest / degrees / spread)
  return { slope, pValue: standardError === 0 ? 0 : tailOfT(slope / standardError, degrees) }
}

/** Each cell is a stratum: Σ (place − mean place) · (solved − runs · rate) has the variance rate (1 − rate) N ÷ (N − 1) · Σ runs (place − mean place)². */
function trendP(cells: ReadonlyMap<string, CellAtStart[]>) {
  let [score, variance] = [0, 0]
  for (const entries of cells.values()) {
    const runs = sum(entries.map((entry) => entry.runs))
    if (runs < 2) continue
    const rate = rateOf(entries)
    const center = sum(entries.map((entry) => entry.runs * entry.place)) / runs
    score += sum(entries.map((entry) => (entry.place - center) * (entry.solved - entry.runs * rate)))
    variance +=
      rate * (1 - rate) * (runs / (runs - 1)) * sum(entries.map((entry) => entry.runs * (entry.place - center) ** 2))
  }
  return variance === 0 ? 1 : tailOfT(score / Math.sqrt(variance), Infinity)
}
