import { useEffect, useState } from 'react'

import { currentOrganizationId } from '#src/api/organization.ts'
import type { QueryTarget } from '#src/api/queries.ts'
import { addToHistory } from './query-history.ts'
import { isDraftShown, sqlDraft, type SqlDraft } from './sql-draft.ts'

/** A valid statement to start with. */
const startingSql = ({ kind }: Pick<QueryTarget, 'kind'>) => starts[kind]

const starts = {
  experiment: `SELECT variant_id, count() AS runs, avg(solved) AS solved_rate, avg(cost_usd) AS cost_usd
FROM runs
GROUP BY variant_id
ORDER BY solved_rate DESC`,
  run: `SELECT test_name, outcome, duration_ms
FROM tests
ORDER BY ordinal`,
  organization: `SELECT experiment_id, count() AS runs, avg(solved) AS solved_rate
FROM runs
GROUP BY experiment_id
ORDER BY runs DESC`,
} as const

/**
 * The text in the editor that hasn't been run, kept in this browser through reloads, navigation and sign-ins. A draft
 * of another statement waits until it is restored. `asked` is the statement in the URL.
 */
export function useSqlDraft(scope: QueryTarget, actorId: string, requested: string) {
  const [kept] = useState(() => sqlDraft(scope, actorId))
  const [found] = useState(kept.read)
  const isFitting = found !== null && isDraftShown(requested, found)
  const [draft, setDraft] = useState(isFitting ? found : null)
  // The URL is updated shortly after; until then the editor would show the old statement.
  const [running, setRunning] = useState<string | null>(null)
  if (running === requested) setRunning(null)
  const [waiting, setWaiting] = useState(isFitting ? null : found)
  const [isKept, setKept] = useState(true)
  const put = (next: SqlDraft) => {
    setWaiting(null)
    setRunning(null)
    setDraft(next)
    setKept(kept.write(next))
  }
  /** Moves a draft that is being replaced to the history. */
  const lay = ({ sql }: SqlDraft) =>
    addToHistory({ organizationId: currentOrganizationId() ?? '', userId: actorId }, scope, sql)
  // Browser API: the event before the page closes. A draft of another tab may be newer, so this one is also saved in
  // the history.
  const [leave] = useState(() => () => {
    const lost = kept.onlyHere()
    if (lost) lay(lost)
  })
  useEffect(() => {
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [leave])
  /** The written text is, or is about to be, the statement in the URL. */
  const settle = (sql = requested) => {
    if (!waiting) kept.remove()
    setDraft(null)
    setRunning(sql)
  }
  const unwritten = requested === '' ? startingSql(scope) : requested
  return {
    /** The text in the editor. */
    text: draft?.sql ?? running ?? unwritten,
    isRunning: running !== null,
    draft,
    waiting,
    isRestored: draft !== null && draft === found,
    /** False if this browser can't keep a draft. */
    isKept,
    write(sql: string, ran?: { sql: string; line: number; column: number }) {
      if (sql === unwritten && !ran && !waiting) return settle()
      if (waiting) lay(waiting)
      const { sql: base, ...part } = ran ?? { sql: running ?? requested }
      put({ sql, base, at: new Date().toISOString(), ...('line' in part && { part }) })
    },
    settle,
    bringBack: () => waiting && put({ ...waiting, base: requested, part: undefined }),
    discard() {
      const lost = draft ?? waiting
      if (lost) lay(lost)
      kept.remove()
      setDraft(null)
      setWaiting(null)
    },
  }
}

export type SqlDraftState = ReturnType<typeof useSqlDraft>
