import type { ChartRun } from '#contract/chart-runs.ts'
import type { ExperimentVersion } from '#contract/experiments.ts'
import { groupLabel } from '#src/charts/heatmap/heatmap-matrix.ts'

/** A group value or a fingerprint with its name and its solved runs. */
export type Candidate = {
  value: string
  label: string
  runs: number
  solved: number
}

const names = new Intl.Collator('en', { numeric: true })

/** Groups sorted by name, or versions from newest to oldest; only those with runs. */
export function toCandidates(
  runs: readonly ChartRun[],
  between: 'groups' | 'versions',
  versions: readonly ExperimentVersion[],
): Candidate[] {
  const byValue = new Map<string, Candidate>()
  const ordinals = new Map(versions.map(({ fingerprint, ordinal }) => [fingerprint, ordinal]))
  for (const { group, variantId, versionFingerprint, versionOrdinal, metrics } of runs) {
    const solved = metrics.solved ?? 0
    const value = between === 'versions' ? versionFingerprint : group
    const known = byValue.get(value)
    if (known) {
      known.runs += 1
      known.solved += solved
    } else {
      const label = between === 'versions' ? `v${ordinals.get(value) ?? versionOrdinal}` : nameOfGroup(group, variantId)
      byValue.set(value, { value, label, runs: 1, solved })
    }
  }
  const candidates = [...byValue.values()].toSorted((a, b) => names.compare(a.label, b.label))
  return between === 'versions' ? candidates.toReversed() : candidates
}

/** `droid · opus` for a group of several axes. A variant keeps its id, which people copy. */
const nameOfGroup = (group: string, variantId: string) => (group === variantId ? group : groupLabel(group))
