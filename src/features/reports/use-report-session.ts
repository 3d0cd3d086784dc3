import { QueryObserver } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'

import type { ReportWithBody } from '#contract/reports.ts'
import { isApiError, mayRetry } from '#src/api/errors.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { queryClient } from '#src/api/query-client.ts'
import { openReportOptions, readReport, saveReport } from '#src/api/reports.ts'
import { draftsIn } from './drafts.ts'
import { ReportSession } from './report-session.ts'
import { toStored } from './stored-report.ts'

/** The report that is open, as its reader writes it. What others store arrives while the page is in view. */
export function useReportSession(opened: ReportWithBody, actorId: string) {
  const reportId = opened.report.id
  const [session] = useState(() => begin(opened, actorId))
  const state = useSyncExternalStore(session.subscribe, session.current)
  // Browser APIs: the poll, and the last moment before the page goes.
  useEffect(() => {
    const observer = new QueryObserver(queryClient, openReportOptions(reportId))
    const stop = observer.subscribe(({ data }) => data && session.receive(toStored(data)))
    const close = () => session.close()
    window.addEventListener('pagehide', close)
    return () => {
      stop()
      window.removeEventListener('pagehide', close)
      close()
      void session.store()
    }
  }, [session, reportId])
  return { session, state }
}

function begin(opened: ReportWithBody, actorId: string) {
  const reportId = opened.report.id
  const drafts = draftsIn(browserStorage())
  const key = { organizationId: currentOrganizationId() ?? '', reportId, actorId }
  return new ReportSession(toStored(opened), drafts.read(key), {
    save: (change) => saveReport({ reportId, ...change }),
    read: () => readReport(reportId),
    isStale: (error) => isApiError(error, 'already_exists'),
    mayRetry,
    keepDraft: (draft) => drafts.write(key, draft),
    dropDraft: () => drafts.remove(key),
  })
}

/** Reading the property alone throws where a browser shuts its storage. */
function browserStorage() {
  try {
    return window.localStorage
  } catch {
    return undefined
  }
}
