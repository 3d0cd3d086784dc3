import type { Run } from '#contract/runs.ts'
import { isBelow } from '#src/api/merge-runs.ts'

export type StableRows = {
  rows: Run[]
  /** Rows that the list no longer contains, because their status or another filtered value has changed. */
  movedIds: ReadonlySet<string>
  /** New rows that would move others down. */
  waitingCount: number
}

/**
 * The rows of a live list until its reader refreshes it: known rows stay in place with new values, further pages follow
 * below. New rows wait, and rows that no longer match stay.
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
