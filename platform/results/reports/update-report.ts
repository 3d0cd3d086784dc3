import type { VerbInput } from '#contract/endpoint.ts'
import { ReportFields, type ReportWithBody, type updateReport as endpoint } from '#contract/reports.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { toColumns } from './to-report.ts'
import { refuseLongBody, writeReport } from './write-report.ts'

const fields = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  Object.keys(ReportFields.shape).map((name) => `\`${name}\``),
)

/**
 * PATCH /reports/{reportId}: changes the fields that are sent; '' clears description and body. Errors:
 * `invalid_argument` if no field is sent, `not_found`, and 409 if the report changed since
 * `expectedUpdatedAt`.
 */
export async function updateReport(context: Context, input: VerbInput<typeof endpoint>): Promise<ReportWithBody> {
  const columns = toColumns(input)
  if (Object.keys(columns).length === 0) throw invalid(`Nothing to change: send ${fields}`)
  refuseLongBody(columns.bodyMarkdown ?? '')
  return writeReport(context, input, () => columns)
}
