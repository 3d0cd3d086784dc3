import { measuredValue } from '#contract/score-measures.ts'
import type { ChartRun } from '#contract/chart-runs.ts'
import type { ChartAxis, ChartGroupBy, ChartMeasure } from '#contract/charts.ts'
import { axesOfGrouping } from '#contract/grouping-axes.ts'
import type { ChartPart } from '#src/shared/copy-as/sql-parts.ts'
import type { Observation } from '#statistics/match-cells.ts'

/** The axis that separates the compared groups: a grouping of the charts, or the version. */
export type ComparedAxis = ChartGroupBy | 'version'

/** Times are no axis to match by: no two runs share one on purpose. */
type MatchAxis = Exclude<ChartAxis, 'day' | 'week' | 'tags'>

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

/** Two groups of runs, and the axes they are matched by. */
export type Sides = {
  left: ChartRun[]
  right: ChartRun[]
  /**
   * Axes with several values, some of which both sides share. All runs of a cell have the same values on these axes.
   */
  matchedBy: MatchAxis[]
  /** Other axes whose values the sides don't share, so the groups differ on them as well. */
  alsoDiffer: MatchAxis[]
}

/**
 * Splits the runs into two groups and matches them by every axis with shared values. An axis without shared values,
 * such as the agent of two variants with different agents, would leave nothing to match. Groups that share no prompt are not
 * matched at all: one of them may have run the easier prompts.
 */
export function toSides(
  runs: readonly ChartRun[],
  compared: ComparedAxis,
  { left, right }: { left: string; right: string },
): Sides {
  const keyOf = keyOfGroup(compared)
  const leftRuns = runs.filter((run) => keyOf(run) === left)
  const rightRuns = runs.filter((run) => keyOf(run) === right)
  const comparedAxes = axesOfCompared(compared)
  const others = matchAxes.filter(
    (axis) => !comparedAxes.includes(axis) && varies([...leftRuns, ...rightRuns], valueOf[axis]),
  )
  const shared = new Set(others.filter((axis) => shareValues(leftRuns, rightRuns, valueOf[axis])))
  return {
    left: leftRuns,
    right: rightRuns,
    matchedBy: others.filter((axis) => axis === 'prompt' || shared.has(axis)),
    alsoDiffer: others.filter((axis) => !shared.has(axis)),
  }
}

export const axesOfCompared = (compared: ComparedAxis): readonly ChartAxis[] =>
  compared === 'version' ? ['version'] : axesOfGrouping(compared)

/** The group of a run: its value of the grouping, or the fingerprint of its version. */
export const keyOfGroup = (compared: ComparedAxis) => (run: ChartRun) =>
  compared === 'version' ? run.versionFingerprint : run.group

const varies = (runs: ChartRun[], value: (run: ChartRun) => string | null) => new Set(runs.map(value)).size > 1

function shareValues(left: ChartRun[], right: ChartRun[], value: (run: ChartRun) => string | null) {
  const known = new Set(left.map(value))
  return right.some((run) => known.has(value(run)))
}

/** The name of a run's cell: its values on the matched axes, without axes that the definition leaves out. */
export const cellOf = (run: ChartRun, matchedBy: readonly MatchAxis[]) =>
  matchedBy.flatMap((axis) => valueOf[axis](run) ?? []).join(' · ')

/** The cell of a run as a part of the chart. */
export function partOfCell(run: ChartRun, matchedBy: readonly MatchAxis[]): ChartPart {
  const axes: ChartPart['axes'] = {}
  for (const axis of matchedBy) if (axis !== 'version') axes[axis] = valueOf[axis](run)
  return matchedBy.includes('version') ? { axes, versions: [run.versionFingerprint] } : { axes }
}

export const toObservations = (
  runs: readonly ChartRun[],
  matchedBy: readonly MatchAxis[],
  measure: ChartMeasure,
): Observation[] =>
  runs.map((run) => ({
    cell: cellOf(run, matchedBy),
    prompt: run.prompt,
    task: run.task,
    value: measuredValue(run, measure),
  }))
