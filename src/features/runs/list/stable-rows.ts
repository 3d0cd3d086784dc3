import type { Run } from '#contract/runs.ts'

export type StableRows = {
  rows: Run[]
  /** Rows that the list no longer contains, because their status or another filtered value has changed. */
  movedIds: ReadonlySet<string>
  /** New rows that would move others down. */
  waitingCount: number
  /** Whether the shown rows are no longer in the list's order, because their sort values changed. */
  isReordered: boolean
}

/**
 * The rows of a live list until its reader refreshes it: known rows stay in place with new values, further pages follow
 * below. New rows wait, and rows that no longer match stay.
 */
export function toStableRows(held: readonly Run[], fresh: readonly Run[]): StableRows {
  const freshById = new Map(fresh.map((run) => [run.id, run]))
  const heldIds = new Set(held.map(({ id }) => id))
  const arrived = fresh.filter(({ id }) => !heldIds.has(id))
  const below = fresh.slice(fresh.findLastIndex(({ id }) => heldIds.has(id)) + 1)
  const inOrder = fresh.filter(({ id }) => heldIds.has(id))
  const inPlace = held.filter(({ id }) => freshById.has(id))
  return {
    rows: [...held.map((run) => freshById.get(run.id) ?? run), ...below],
    movedIds: new Set([...heldIds].filter((id) => !freshById.has(id))),
    waitingCount: arrived.length - below.length,
    isReordered: inPlace.some(({ id }, index) => id !== inOrder[index]?.id),
  }
}

export const freshRows = (rows: Run[]): StableRows => ({
  rows,
  movedIds: new Set(),
  waitingCount: 0,
  isReordered: false,
})
