import { z } from 'zod'

import type { QueryTarget } from '#src/api/queries.ts'

const Entry = z.object({
  experiment: z.string().optional(),
  run: z.string().optional(),
  sql: z.string(),
  at: z.string(),
})
export type HistoryEntry = z.infer<typeof Entry>

const most = 50
/** Browsers allow about 5 MB for everything. */
const maxCharacters = 200_000

const keyOf = (organizationId: string, userId: string) => `assay.queries.${organizationId}.${userId}`

/** Queries this person ran or discarded in this browser, newest first. Results are never stored. */
export function readHistory(organizationId: string, userId: string): HistoryEntry[] {
  try {
    return z.array(Entry).parse(JSON.parse(localStorage.getItem(keyOf(organizationId, userId)) ?? '[]'))
  } catch {
    return []
  }
}

export function addToHistory(
  { organizationId, userId }: { organizationId: string; userId: string },
  target: QueryTarget,
  sql: string,
): void {
  const scope: Pick<HistoryEntry, 'experiment' | 'run'> =
    target.kind === 'organization'
      ? {}
      : target.kind === 'run'
        ? { run: target.runId }
        : { experiment: target.experimentId }
  const isSame = (entry: HistoryEntry) =>
    entry.sql === sql && entry.run === scope.run && entry.experiment === scope.experiment
  const entries = [
    { ...scope, sql, at: new Date().toISOString() },
    ...readHistory(organizationId, userId).filter((entry) => !isSame(entry)),
  ]
  try {
    localStorage.setItem(keyOf(organizationId, userId), JSON.stringify(bounded(entries)))
  } catch {
    // If storage is full or blocked, the query runs but isn't added to the history.
  }
}

/** The newest entries that fit. */
export function bounded(entries: readonly HistoryEntry[]): HistoryEntry[] {
  let characters = 0
  return entries.slice(0, most).filter(({ sql }) => (characters += sql.length) <= maxCharacters)
}
