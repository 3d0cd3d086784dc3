import type { PublishedReport } from '#contract/report-publications.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { crowded } from '#platform/ground/failures/failure.ts'
import { coalesce } from '#platform/results/publications/coalesce.ts'
import { type FrozenReport, readDocument } from '#platform/results/publications/find-published-report.ts'
import { createResultCache } from '#platform/results/publications/result-cache.ts'

/** Visitors within a few seconds share one read of a page. */
const freshMs = 5000
const maxBytesFresh = 32 * 1024 ** 2

const tooMany = () => crowded('Too many published reports are being read. Try again shortly')

/** Returns the bytes of a public page, or null if it was revoked meanwhile. Nothing is computed for visitors. */
export function pageViewer(services: Pick<Services, 'db'>) {
  const readOnce = coalesce(
    createResultCache(freshMs, maxBytesFresh, (document: Buffer | null) => document?.length ?? 0),
    tooMany,
  )

  return async (publication: FrozenReport) => {
    const { id, title, description, author, organizationName, version, publishedAt } = publication
    const document = await readOnce(`${id} ${publishedAt}`, async () => {
      const text = await readDocument(services, publication)
      return text === null ? null : Buffer.from(text)
    })
    if (!document) return null
    const head: Omit<PublishedReport, 'document'> = {
      title,
      ...(description && { description }),
      organization: { name: organizationName },
      author,
      version,
      publishedAt,
    }
    const parts = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"document":`), document, Buffer.from('}')]
    return { toParts: () => parts }
  }
}
