import type { ChartRun } from '#contract/chart-runs.ts'
import type { ChartGroupBy, ChartMetric } from '#contract/charts.ts'
import type { ChartPart } from '#src/copy-as/sql-parts.ts'
import type { Observation } from '#src/statistics/match-cells.ts'

/** What runs are compared by: a grouping of the charts, or their version. */
export type ComparedAxis = ChartGroupBy | 'version'

type MatchAxis = Exclude<ComparedAxis, 'variant'>

const valueOf: Record<MatchAxis, (run: ChartRun) => string | null> = {
  agent: ({ agent }) => agent,
  agent_mode: ({ agentMode }) => agentMode,
  model: ({ model }) => model,
  product: ({ product }) => product,
  environment: ({ environment }) => environment,
  prompt: ({ prompt }) => prompt,
  version: ({ versionOrdinal }) => `v${versionOrdinal}`,
}

const matchAxes = Object.keys(valueOf) as MatchAxis[]

/** Two groups of runs, and which axes they are matched by. */
export type Sides = {
  left: ChartRun[]
  right: ChartRun[]
  /** Axes with several values, of which both sides share some: the runs of a cell agree in all of them. */
  matchedBy: MatchAxis[]
  /** Axes other than the compared one of which the sides share no value, so they differ in these as well. */
  alsoDiffer: MatchAxis[]
}

/**
 * The runs of two groups. They are matched by every axis they share values of: where they share none, as two variants
 * of different agents do, matching by it would leave nothing to compare.
 */
export function toSides(
  runs: readonly ChartRun[],
  compared: ComparedAxis,
  { left, right }: { left: string; right: string },
): Sides {
  const keyOf = compared === 'version' ? ({ versionFingerprint }: ChartRun) => versionFingerprint : groupOf
  const leftRuns = runs.filter((run) => keyOf(run) === left)
  const rightRuns = runs.filter((run) => keyOf(run) === right)
  const others = matchAxes.filter((axis) => axis !== compared && varies([...leftRuns, ...rightRuns], valueOf[axis]))
  const shared = new Set(others.filter((axis) => shareValues(leftRuns, rightRuns, valueOf[axis])))
  return {
    left: leftRuns,
    right: rightRuns,
    matchedBy: others.filter((axis) => shared.has(axis)),
    alsoDiffer: others.filter((axis) => !shared.has(axis)),
  }
}

const groupOf = ({ group }: ChartRun) => group

const varies = (runs: ChartRun[], value: (run: ChartRun) => string | null) => new Set(runs.map(value)).size > 1

function shareValues(left: ChartRun[], right: ChartRun[], value: (run: ChartRun) => string | null) {
  const known = new Set(left.map(value))
  return right.some((run) => known.has(value(run)))
}

/** The name of a run's cell: the values it is matched by; axes the definition leaves out say nothing. */
export const cellOf = (run: ChartRun, matchedBy: readonly MatchAxis[]) =>
  matchedBy.flatMap((axis) => valueOf[axis](run) ?? []).join(' · ')

/** The runs of a cell that one of them stands in, as a part of the chart. */
export function partOfCell(run: ChartRun, matchedBy: readonly MatchAxis[]): ChartPart {
  const axes: ChartPart['axes'] = {}
  for (const axis of matchedBy) if (axis !== 'version') axes[axis] = valueOf[axis](run)
  return matchedBy.includes('version') ? { axes, versions: [run.versionFingerprint] } : { axes }
}

export const toObservations = (
  runs: readonly ChartRun[],
  matchedBy: readonly MatchAxis[],
  measure: ChartMetric,
): Observation[] =>
  runs.map((run) => ({ cell: cellOf(run, matchedBy), prompt: run.prompt, value: run.metrics[measure] }))
