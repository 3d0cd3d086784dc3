import type { OpenJob } from '#platform/ground/content/content-job.ts'
import { createMasker, type SecretValue } from '#platform/inputs/secrets/masking/masker.ts'
import type { ReportRequest } from './read-report-apart.ts'
import { type ReadReport, readReport } from './read-report.ts'

/** Reads a report in a content process. */
export const open: OpenJob<readonly SecretValue[], ReportRequest, ReadReport> = (secrets) => {
  const { text: mask } = createMasker(secrets)
  return ({ testName, format, report }) => readReport(testName, format, report, mask)
}
