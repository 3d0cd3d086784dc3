import { z } from 'zod'

import { Outcome } from '#contract/outcomes.ts'
import type { ReportFormat } from '#contract/task-fields.ts'
import type { ContentJob } from '#platform/ground/content/content-job.ts'
import { askContent } from '#platform/ground/content/content-pool.ts'
import type { Masker, SecretValue } from '#platform/inputs/secrets/masking/masker.ts'
import { type ReadReport, readReport } from './read-report.ts'

export type ReportRequest = { testName: string; format: ReportFormat; report: Uint8Array }

const Capture = z.object({
  name: z.string(),
  outcome: Outcome,
  exitCode: z.null(),
  durationMs: z.number().nullable(),
  stdoutTail: z.string(),
  stderrTail: z.string(),
})

const readReportJob: ContentJob<readonly SecretValue[], ReportRequest, ReadReport> = {
  module: new URL('./report-work.ts', import.meta.url),
  answer: z.object({ captures: z.array(Capture), problems: z.array(z.string()) }),
  processorSeconds: 120,
}

/** Reading less takes no longer than sending it to a process. */
const smallBytes = 64 * 1024

/** Reads a report in a content process, unless it is small. Throws an Error with a reason. */
export const readReportApart = (
  organizationId: string,
  request: ReportRequest,
  { secrets, text }: Pick<Masker, 'secrets' | 'text'>,
): Promise<ReadReport> =>
  request.report.byteLength <= smallBytes
    ? readReport(request.testName, request.format, request.report, text)
    : askContent(organizationId, readReportJob, secrets, request)
