import { QueryObserver } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'

import type { ReportWithBody } from '#contract/reports.ts'
import { isApiError, canRetry } from '#src/api/errors.ts'
import { queryClient } from '#src/api/query-client.ts'
import { openReportOptions, readReport, saveReport } from '#src/api/reports.ts'
import { reportDraft } from './report-draft.ts'
import { ReportSession } from './report-session.ts'
import { isChanged, toStored } from './stored-report.ts'

/**
 * The session of the open report. Others' saves arrive while the page is visible. `restored` is the draft that was
 * opened, until the reader closes its notice.
 */
export function useReportSession(opened: ReportWithBody, actorId: string) {
  const reportId = opened.report.id
  const [{ session, found }] = useState(() => startSession(opened, actorId))
  const [restored, setRestored] = useState(found)
  const state = useSyncExternalStore(session.subscribe, session.current)
  // Browser APIs: a timer to poll, and the event before the page closes.
  useEffect(() => {
    const observer = new QueryObserver(queryClient, openReportOptions(reportId))
    let receivedAt = observer.getCurrentResult().dataUpdatedAt
    const stop = observer.subscribe(({ data, dataUpdatedAt, error }) => {
      if (isApiError(error, 'not_found')) return session.lose()
      // Also called when nothing was read, for example when the browser goes offline.
      if (!data || dataUpdatedAt === receivedAt) return
      receivedAt = dataUpdatedAt
      session.receive(toStored(data))
    })
    const close = () => session.close()
    window.addEventListener('pagehide', close)
    return () => {
      stop()
      window.removeEventListener('pagehide', close)
      close()
      void session.store()
    }
  }, [session, reportId])
  return { session, state, restored, forgetRestored: () => setRestored(null) }
}

function startSession(opened: ReportWithBody, actorId: string) {
  const reportId = opened.report.id
  const draft = reportDraft(reportId, actorId)
  const kept = draft.read()
  const stored = toStored(opened)
  const session = new ReportSession(stored, kept, {
    save: (change) => saveReport({ reportId, ...change }),
    read: () => readReport(reportId),
    isStale: (error) => isApiError(error, 'already_exists'),
    isGone: (error) => isApiError(error, 'not_found'),
    canRetry,
    keepDraft: draft.write,
    readDraft: draft.read,
    dropDraft: draft.remove,
  })
  return { session, found: kept && isChanged(stored, kept) ? kept : null }
}
