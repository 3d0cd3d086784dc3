import type { Run } from '#contract/runs.ts'
import { isBelow } from '#src/api/merge-runs.ts'

export type StableRows = {
  rows: Run[]
  /** Rows that the list no longer holds: their status, or something else it filters by, has changed. */
  movedIds: ReadonlySet<string>
  /** New rows that would push others down. */
  waitingCount: number
}

/**
 * What a live list shows until its reader refreshes it: the rows it showed, each in its place with its new values;
 * below them rows of further pages. New rows wait, and rows that moved on stay.
 */
export function toStableRows(held: readonly Run[], fresh: readonly Run[]): StableRows {
  const freshById = new Map(fresh.map((run) => [run.id, run]))
  const heldIds = new Set(held.map(({ id }) => id))
  const last = held.at(-1)
  const arrived = fresh.filter(({ id }) => !heldIds.has(id))
  const below = arrived.filter((run) => !last || isBelow(run, last))
  return {
    rows: [...held.map((run) => freshById.get(run.id) ?? run), ...below],
    movedIds: new Set([...heldIds].filter((id) => !freshById.has(id))),
    waitingCount: arrived.length - below.length,
  }
}

export const freshRows = (rows: Run[]): StableRows => ({ rows, movedIds: new Set(), waitingCount: 0 })
