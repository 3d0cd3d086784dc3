import { publicationToken } from '#contract/publications.ts'
import { publishedReportPath, type ReportPublication } from '#contract/report-publications.ts'
import type { Context, Services } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { publicUrlOf } from './public-url.ts'
import { findDocument, findPublishedImageId, findReportPublication, findRowByToken } from './report-store.ts'
import { hashToken } from './token.ts'

type Stored = Pick<Services, 'db'>

/** Returns the public page of a token without its document, or null if the token is unknown, malformed or revoked. */
export const findPublishedReport = async ({ db }: Stored, token: string) =>
  publicationToken.test(token) ? findRowByToken(db, hashToken(token)) : null

export type FrozenReport = NonNullable<Awaited<ReturnType<typeof findPublishedReport>>>

/** Returns the drawn page as JSON, or null if it was revoked. */
export const readDocument = ({ db }: Stored, { id }: Pick<FrozenReport, 'id'>) => findDocument(db, id)

/** Returns the id of the image at a place of the page, or null if the page shows none there. */
export const findImageAt = ({ db }: Stored, { id }: Pick<FrozenReport, 'id'>, place: number) =>
  findPublishedImageId(db, id, place)

/** Returns the public page of a report for its members; null if there is none, or the key of its link is gone. */
export async function describeReportPage(
  context: Pick<Context, 'keys' | 'publicUrl'>,
  db: Database,
  report: { id: string; updatedAt: string },
): Promise<ReportPublication | null> {
  const row = await findReportPublication(db, report.id)
  const url = row && publicUrlOf(context, row, publishedReportPath)
  if (!row || !url) return null
  const { version, publishedAt, publisher: publishedBy } = row
  return { url, version, publishedAt, publishedBy, isCurrent: version === report.updatedAt }
}
