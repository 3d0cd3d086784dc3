import { getReportPublication, publishReport, revokeReport } from '#contract/report-publications.ts'
import type { PublishedDocument } from '#contract/published-document.ts'
import { limits } from '#contract/wire/limit.ts'
import { call } from './call.ts'
import { ApiError } from './errors.ts'
import { endpointKey, endpointOptions, queryClient } from './query-client.ts'

export const reportPublicationOptions = (reportId: string) => endpointOptions(getReportPublication, { reportId })

type Page = { reportId: string; expectedUpdatedAt: string; document: PublishedDocument }

/** Publishes a report, or updates its public page. Throws `already_exists` if it changed since it was drawn. */
export async function publish({ reportId, expectedUpdatedAt, document }: Page) {
  const documentJson = JSON.stringify(document)
  if (new Blob([documentJson]).size > limits.publishedReportBytes)
    throw new ApiError(
      'invalid_argument',
      `The page has more than ${limits.publishedReportBytes / 1e6} MB. Filter or remove its largest figures.`,
    )
  const answer = await call(publishReport, { reportId, expectedUpdatedAt, documentJson })
  queryClient.setQueryData(endpointKey(getReportPublication, { reportId }), answer)
  return answer
}

export async function revoke(reportId: string) {
  await call(revokeReport, { reportId })
  await queryClient.invalidateQueries({ queryKey: endpointKey(getReportPublication, { reportId }) })
}
