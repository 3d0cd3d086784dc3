import { appendBlock, getReport } from '#contract/reports.ts'
import { appendOnce } from './append-once.ts'
import { call } from './call.ts'
import { isApiError } from './errors.ts'
import { hold } from './reports.ts'

/** Appends a clip; calling it again after a failure never appends it twice. */
export async function clipIntoReport(reportId: string, markdown: string) {
  const ports = {
    read: () => call(getReport, { reportId }),
    append: (block: { markdown: string; expectedUpdatedAt: string }) => call(appendBlock, { reportId, ...block }),
    isStale: (error: unknown) => isApiError(error, 'already_exists'),
  }
  return hold(await appendOnce(ports, markdown))
}
