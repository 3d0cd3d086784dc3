import type { CallInput } from '#contract/endpoint.ts'
import {
  createReport,
  deleteReport,
  getReport,
  listReports,
  type ReportList,
  type ReportWithBody,
  updateReport,
} from '#contract/reports.ts'
import { type Beginning, beginOnce } from './append-once.ts'
import { call } from './call.ts'
import { infiniteListOptions } from './infinite-list.ts'
import { endpointKey, endpointOptions, queryClient } from './query-client.ts'

const pageSize = 50

const reportsOf = ({ reports }: ReportList) => reports

/** Every report, most recently changed first, page by page. */
export const reportPagesOptions = () =>
  infiniteListOptions({
    queryKey: [...endpointKey(listReports, { limit: pageSize }), 'pages'],
    queryFn: ({ pageParam, signal }) => call(listReports, { limit: pageSize, cursor: pageParam }, signal),
    getNextPageParam: (last) => last.nextCursor,
    rowsOf: reportsOf,
  })

export const reportOptions = (reportId: string) => endpointOptions(getReport, { reportId })

/** While a report is being written: what others write arrives within seconds. */
export const openReportOptions = (reportId: string) => ({
  ...reportOptions(reportId),
  staleTime: 0,
  refetchInterval: 3000,
})

/** Begins a report; what an earlier try began, whose answer was lost, is found again. */
export async function beginReport({ triedBy, ...input }: CallInput<typeof createReport> & Pick<Beginning, 'triedBy'>) {
  const ports = {
    latest: async () => (await call(listReports, { limit: 10 })).reports,
    read: (reportId: string) => call(getReport, { reportId }),
    begin: () => call(createReport, input),
  }
  return hold(await beginOnce(ports, { ...input, triedBy }))
}

/** Throws `already_exists` when the report changed since; nothing is written then. */
export async function saveReport(change: CallInput<typeof updateReport>) {
  return hold(await call(updateReport, change))
}

export async function removeReport(reportId: string) {
  const removed = await call(deleteReport, { reportId })
  queryClient.removeQueries({ queryKey: endpointKey(getReport, { reportId }) })
  await queryClient.invalidateQueries({ queryKey: ['reports', 'list'] })
  return removed
}

/** Reads it anew, whatever is held or on its way: an answer that was asked for earlier may know less. */
export async function readReport(reportId: string) {
  const options = reportOptions(reportId)
  await queryClient.cancelQueries({ queryKey: options.queryKey, exact: true })
  return queryClient.fetchQuery({ ...options, staleTime: 0 })
}

/** What the platform answered is what the pages show from now on. */
export async function hold(report: ReportWithBody) {
  queryClient.setQueryData(endpointKey(getReport, { reportId: report.report.id }), report)
  await queryClient.invalidateQueries({ queryKey: ['reports', 'list'] })
  return report
}
