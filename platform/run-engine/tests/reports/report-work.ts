import type { OpenJob } from '#platform/content/content-job.ts'
import { createMasker, type SecretValue } from '#platform/secrets/masking/masker.ts'
import type { ReportRequest } from './read-report-apart.ts'
import { type ReadReport, readReport } from './read-report.ts'

/** Reads a report in a content process. */
export const open: OpenJob<readonly SecretValue[], ReportRequest, ReadReport> = (secrets) => {
  const { text: mask } = createMasker(secrets)
  return ({ testName, format, report }) => readReport(testName, format, report, mask)
}
