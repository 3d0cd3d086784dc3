import { costOfRun } from '#contract/run-cost.ts'
import type { Run } from '#contract/runs.ts'
import { quantile } from './moments.ts'
import { seededRandom } from './seeded-random.ts'

/** The costs of each variant's past runs in USD. Mock runs cost nothing, and runs without a known cost are excluded. */
export type CostHistory = ReadonlyMap<string, readonly number[]>

export type PastRun = Pick<Run, 'variantId' | 'model' | 'costUsd' | 'computeUsd' | 'spendKind' | 'mock'>

/** What credit pays of a run: not the model calls on its own key. */
export const creditOfRun = (run: PastRun) => (run.spendKind === 'managed' ? costOfRun(run) : (run.computeUsd ?? null))

/** `costOf` chooses the cost of a run; by default its models and its compute together. */
export function toCostHistory(
  runs: readonly PastRun[],
  costOf: (run: PastRun) => number | null = costOfRun,
): CostHistory {
  const paid = runs.flatMap((run) => {
    const cost = run.mock ? null : costOf(run)
    return cost === null ? [] : [{ variantId: run.variantId, cost }]
  })
  const byVariant = Map.groupBy(paid, ({ variantId }) => variantId)
  return new Map([...byVariant].map(([variantId, runs]) => [variantId, runs.map(({ cost }) => cost)]))
}

/** The share of compute in what past runs of the variants cost; null without a cost. */
export function computeShareOf(variantIds: readonly string[], runs: readonly PastRun[]): number | null {
  const asked = new Set(variantIds)
  const paid = runs.filter((run) => !run.mock && asked.has(run.variantId) && costOfRun(run) !== null)
  const total = paid.reduce((sum, run) => sum + (costOfRun(run) ?? 0), 0)
  return total > 0 ? paid.reduce((sum, { computeUsd = 0 }) => sum + computeUsd, 0) / total : null
}

export type Price = {
  /** The median and the 90th percentile of such a submission's cost in USD; null if no variant has a history. */
  p50: number | null
  p90: number | null
  /** Variants without a history, which the price excludes. */
  unknownCount: number
  /** The number of past runs that the price is based on. */
  sampleCount: number
}

/** The real runs of the variants without a history: they ended, but nothing recorded their cost. */
export function countUnpriced(variantIds: readonly string[], runs: readonly PastRun[]): number {
  const [asked, priced] = [new Set(variantIds), toCostHistory(runs)]
  return runs.filter(({ variantId, mock }) => !mock && asked.has(variantId) && !priced.has(variantId)).length
}

type Submission = { variantIds: readonly string[]; repeat: number }

/** Above this number of runs the sum is practically normal, and drawing it would only take longer. */
const maxDrawnRuns = 64

/**
 * The price of a submission is a sum of independent draws, `repeat` from each variant's own history. For up to 64 runs
 * the sum is drawn a thousand times, always with the same random numbers, so that the price is stable. For more runs
 * the normal approximation with the same mean and variance is used. A sum of medians would be too low, because costs
 * are skewed and a large submission includes some expensive runs.
 */
export function submissionPrice({ variantIds, repeat }: Submission, history: CostHistory): Price {
  const samples = variantIds.flatMap((id) => {
    const costs = history.get(id)
    return costs && costs.length > 0 ? [costs] : []
  })
  const facts = {
    unknownCount: variantIds.length - samples.length,
    sampleCount: samples.reduce((sum, costs) => sum + costs.length, 0),
  }
  if (samples.length === 0) return { ...facts, p50: null, p90: null }
  const quantiles = samples.length * repeat <= maxDrawnRuns ? drawnSum(samples, repeat) : normalSum(samples, repeat)
  return { ...facts, ...quantiles }
}

const totals = 1000

function drawnSum(samples: readonly (readonly number[])[], repeat: number) {
  const random = seededRandom(1)
  const draw = (costs: readonly number[]) => costs[Math.floor(random() * costs.length)] ?? 0
  const sums = Array.from({ length: totals }, () => {
    let sum = 0
    for (const costs of samples) for (let run = 0; run < repeat; run += 1) sum += draw(costs)
    return sum
  }).toSorted((a, b) => a - b)
  return { p50: quantile(sums, 0.5), p90: quantile(sums, 0.9) }
}

/** The 90 % quantile of the standard normal distribution. */
const z90 = 1.2816

function normalSum(samples: readonly (readonly number[])[], repeat: number) {
  const parts = samples.map(momentsOf)
  const mean = repeat * parts.reduce((sum, part) => sum + part.mean, 0)
  const variance = repeat * parts.reduce((sum, part) => sum + part.variance, 0)
  return { p50: mean, p90: mean + z90 * Math.sqrt(variance) }
}

function momentsOf(costs: readonly number[]) {
  const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length
  const variance = costs.reduce((sum, cost) => sum + (cost - mean) ** 2, 0) / costs.length
  return { mean, variance }
}
