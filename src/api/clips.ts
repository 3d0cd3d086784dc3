import { appendBlock, createReport, getReport, listReports, type ReportWithBody } from '#contract/reports.ts'
import { appendOnce, holdsBlock } from './append-once.ts'
import { call } from './call.ts'
import { isApiError } from './errors.ts'
import { endpointKey, queryClient } from './query-client.ts'

/** Appends a clip; calling it again after a failure never appends it twice. */
export async function clipIntoReport(reportId: string, markdown: string) {
  const report = await appendOnce(
    {
      read: () => call(getReport, { reportId }),
      append: (block) => call(appendBlock, { reportId, ...block }),
      isStale: (error) => isApiError(error, 'already_exists'),
    },
    markdown,
  )
  return held(report)
}

/** A report that begins with a clip; one that an earlier try began, whose answer was lost, is found again. */
export async function clipIntoNewReport(title: string, markdown: string) {
  const { reports } = await call(listReports, { limit: 10 })
  for (const { id } of reports.filter((report) => report.title === title)) {
    const begun = await call(getReport, { reportId: id })
    if (holdsBlock(begun, markdown)) return held(begun)
  }
  return held(await call(createReport, { title, bodyMarkdown: markdown }))
}

async function held(report: ReportWithBody) {
  queryClient.setQueryData(endpointKey(getReport, { reportId: report.report.id }), report)
  await queryClient.invalidateQueries({ queryKey: ['reports', 'list'] })
  return report
}
