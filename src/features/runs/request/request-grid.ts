import type { Run } from '#contract/runs.ts'

export type GridRow = { variantId: string; runs: (Run | undefined)[] }

/** A square: the indexes of its variant (row) and repeat (column), from 0. */
export type GridPosition = { row: number; column: number }

/**
 * Variants in the order they were submitted, with their repeats as columns. A run that has not loaded is undefined. An
 * import can add runs to a request later, so every variant with a run has a row, and a row has all runs of its variant.
 */
export function toRequestGrid(variantIds: readonly string[], repeat: number, runs: readonly Run[]): GridRow[] {
  const byVariant = Map.groupBy(runs, ({ variantId }) => variantId)
  const rows = [...new Set([...variantIds, ...byVariant.keys()])].map((variantId) => ({
    variantId,
    runs: placeRuns(byVariant.get(variantId) ?? [], repeat),
  }))
  const width = rows.reduce((widest, { runs }) => Math.max(widest, runs.length), repeat)
  return rows.map(({ variantId, runs }) => ({ variantId, runs: Array.from({ length: width }, (_, at) => runs[at]) }))
}

/** Imported requests continue the count of the repeats before them, so their runs fill the columns in order. */
function placeRuns(runs: readonly Run[], repeat: number): (Run | undefined)[] {
  const byRepeat = new Map(runs.map((run) => [run.repeat, run]))
  const countsFromOne = byRepeat.size === runs.length && runs.every((run) => run.repeat <= repeat)
  if (!countsFromOne) return runs.toSorted((one, other) => one.repeat - other.repeat)
  return Array.from({ length: repeat }, (_, at) => byRepeat.get(at + 1))
}

/** The ids of the squares whose runs have loaded. */
export const loadedIds = (runs: readonly (Run | undefined)[]) => runs.flatMap((run) => (run ? [run.runUuid] : []))

/** The runs in the rectangle between two squares. */
export function idsBetween(rows: readonly GridRow[], from: GridPosition, to: GridPosition): string[] {
  const [top, bottom] = [Math.min(from.row, to.row), Math.max(from.row, to.row)]
  const [left, right] = [Math.min(from.column, to.column), Math.max(from.column, to.column)]
  return rows.slice(top, bottom + 1).flatMap(({ runs }) => loadedIds(runs.slice(left, right + 1)))
}

const steps: Record<string, (place: GridPosition, last: GridPosition) => GridPosition> = {
  ArrowUp: ({ row, column }) => ({ row: Math.max(0, row - 1), column }),
  ArrowDown: ({ row, column }, last) => ({ row: Math.min(last.row, row + 1), column }),
  ArrowLeft: ({ row, column }) => ({ row, column: Math.max(0, column - 1) }),
  ArrowRight: ({ row, column }, last) => ({ row, column: Math.min(last.column, column + 1) }),
  Home: ({ row }) => ({ row, column: 0 }),
  End: ({ row }, last) => ({ row, column: last.column }),
}

/** The square that a key moves to; null for other keys. */
export const placeAfter = (key: string, from: GridPosition, rows: readonly GridRow[]): GridPosition | null =>
  steps[key]?.(from, { row: rows.length - 1, column: (rows[0]?.runs.length ?? 1) - 1 }) ?? null

const isWorthRepeating = ({ status, timeLimit }: Run) => status === 'errored' || timeLimit?.hit === true

/** The variants with errored or timed-out runs, and the largest number of such runs in one variant. */
export function findRunsToRepeat(runs: readonly Run[]): { variantIds: string[]; repeat: number } {
  const byVariant = Map.groupBy(runs.filter(isWorthRepeating), ({ variantId }) => variantId)
  return {
    variantIds: [...byVariant.keys()],
    repeat: Math.max(1, ...[...byVariant.values()].map((failed) => failed.length)),
  }
}
