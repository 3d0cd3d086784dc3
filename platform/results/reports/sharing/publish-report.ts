import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { publishReport as endpoint } from '#contract/report-publications.ts'
import { audited } from '#platform/people/audit/audited.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { preconditionFailed } from '#platform/ground/failures/failure.ts'
import { freezeReport } from '#platform/results/publications/freeze-report.ts'
import { notifyReportPublication } from '#platform/results/publications/notify-publication-change.ts'
import { lockClockAndReport } from '#platform/results/reports/lock-report.ts'
import { requireImages } from '#platform/results/reports/get-image.ts'
import { requireReport } from '#platform/results/reports/require-report.ts'
import { describePublishedReport } from './get-publication.ts'
import { requireCanPublish } from './policy.ts'
import { readDocument } from './read-document.ts'

/**
 * PUT /reports/{reportId}/publication: stores the page as the author's browser drew it, and makes it public. The link
 * stays the same until the page is revoked. Errors: `not_found`, `permission_denied`, `invalid_argument` for a page with
 * anything that is not allowed, 409 if the report changed since `expectedUpdatedAt`, `resource_exhausted`,
 * `failed_precondition` when the installation lacks the key of the link.
 */
export async function publishReport(
  context: Context,
  { reportId, expectedUpdatedAt, documentJson }: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const key = { organizationId: context.organization.id, reportId }
  requireCanPublish(context, (await requireReport(context.db, key)).report)
  // Before the locks, because a large page takes a moment to check.
  const { document, imageIds } = readDocument(documentJson)
  return audited(context, async (tx, record) => {
    // The clock also keeps images from being removed meanwhile.
    await lockClockAndReport(tx, key, expectedUpdatedAt)
    const { report, creator } = await requireReport(tx, key)
    await requireImages(tx, key.organizationId, imageIds)
    const { id, title, description, updatedAt: version } = report
    const page = { reportId: id, title, description, author: creator.name, version, document, imageIds }
    const { publicationId, publishedAt, isUpdate } = await freezeReport(context, tx, page)
    record({
      event: 'report.publish',
      organizationId: key.organizationId,
      subject: title,
      details: { reportId: id, isUpdate },
    })
    const answer = await describePublishedReport(context, tx, report)
    if (!answer.publication)
      throw preconditionFailed(
        'The encryption key of this publication is missing. Revoke the page and publish it again',
      )
    await notifyReportPublication(context, tx, {
      type: 'report.published',
      source: `${publicationId}:${publishedAt}`,
      report,
      payload: { is_update: isUpdate },
    })
    return answer
  })
}
