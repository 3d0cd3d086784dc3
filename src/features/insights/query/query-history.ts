import { z } from 'zod'

import type { QueryScope } from './sql-draft.ts'

const Entry = z.object({
  experiment: z.string().optional(),
  run: z.string().optional(),
  sql: z.string(),
  at: z.string(),
})
export type HistoryEntry = z.infer<typeof Entry>

const most = 50
/** Browsers keep some 5 MB for everything. */
const maxCharacters = 200_000

const keyOf = (organizationId: string, userId: string) => `assay.queries.${organizationId}.${userId}`

/** Statements this person ran or gave up in this browser, the latest first. Never what they answered. */
export function readHistory(organizationId: string, userId: string): HistoryEntry[] {
  try {
    return z.array(Entry).parse(JSON.parse(localStorage.getItem(keyOf(organizationId, userId)) ?? '[]'))
  } catch {
    return []
  }
}

export function addToHistory(
  { organizationId, userId }: { organizationId: string; userId: string },
  target: QueryScope,
  sql: string,
): void {
  const scope: Pick<HistoryEntry, 'experiment' | 'run'> =
    target === null ? {} : target.kind === 'run' ? { run: target.runId } : { experiment: target.experimentId }
  const isSame = (entry: HistoryEntry) =>
    entry.sql === sql && entry.run === scope.run && entry.experiment === scope.experiment
  const entries = [
    { ...scope, sql, at: new Date().toISOString() },
    ...readHistory(organizationId, userId).filter((entry) => !isSame(entry)),
  ]
  try {
    localStorage.setItem(keyOf(organizationId, userId), JSON.stringify(bounded(entries)))
  } catch {
    // A full or forbidden storage keeps no history; the query ran all the same.
  }
}

/** The newest, as many as fit. */
export function bounded(entries: readonly HistoryEntry[]): HistoryEntry[] {
  let characters = 0
  return entries.slice(0, most).filter(({ sql }) => (characters += sql.length) <= maxCharacters)
}
