import type { ChartRun } from '#contract/chart-runs.ts'
import type { Comparison } from '#statistics/compare-groups.ts'
import { type Sides, cellOf } from './compare-sides.ts'

/** The variants, by version, whose repeats add runs to a comparison's matched cells. */
export function variantsToRepeat({ left, right, matchedBy }: Sides, { cells }: Comparison) {
  const matched = new Set(cells.map(({ cell }) => cell))
  const runs = [...left, ...right].filter((run) => matched.has(cellOf(run, matchedBy)))
  const byVersion = Map.groupBy(runs, ({ versionFingerprint }) => versionFingerprint)
  return [...byVersion].map(([version, ofVersion]) => ({
    version,
    ordinal: ofVersion[0]?.versionOrdinal ?? 0,
    variantIds: variantIdsOf(ofVersion),
    /** Mock runs are repeated as mock runs. */
    mock: ofVersion.every(({ mock }) => mock),
  }))
}

const variantIdsOf = (runs: readonly ChartRun[]) => [...new Set(runs.map(({ variantId }) => variantId))].toSorted()
