import { publicationToken, type PublishedInsight } from '#contract/publications.ts'
import { limits } from '#contract/wire/limit.ts'
import type { Services } from '#platform/context.ts'
import { clockNow } from '#platform/database/clock.ts'
import { exhausted, Failure, unavailable } from '#platform/failure.ts'
import { WrittenBody } from '#platform/http/written-body.ts'
import { runInsightSql } from '#platform/insights/insight-sql.ts'
import { coalesce } from './coalesce.ts'
import { freshResults } from './fresh-results.ts'
import { findPublicationByToken, type PublicationRow } from './store.ts'
import { hashToken } from './token.ts'

export type Published = WrittenBody<PublishedInsight>

/** Twelve executions a minute at most, however many strangers look. */
const freshMs = 5000

/** Of results in JSON, of all publications together. */
const mostBytesFresh = 64 * 1024 ** 2

const tooMany = () => exhausted('Too many published results are being made; try again shortly')

/** The publication of a token, or null: for one never made, one whose insight is gone and one that is no token. */
export const findPublished = async ({ db }: Services, token: string) =>
  publicationToken.test(token) ? findPublicationByToken(db, hashToken(token)) : null

/**
 * What strangers see at a publication's address, or null where there is none. Results are shared among those who ask within
 * seconds, but each asks by itself whether the publication still is. Fails with `resource_exhausted`, and with `unavailable` for whatever else
 * keeps the result away: its words could quote the SQL.
 */
export function publicationViewer(services: Services) {
  const executeOnce = coalesce(
    freshResults(freshMs, mostBytesFresh, ({ table }: Published) => table.bytes),
    tooMany,
  )

  const executeQuietly = (publication: PublicationRow) =>
    execute(services, publication).catch((error: unknown) => {
      if (error instanceof Failure) throw unavailable('The result cannot be made at the moment')
      throw error
    })

  return async (token: string): Promise<{ organizationId: string; body: Published } | null> => {
    const publication = await findPublished(services, token)
    if (!publication) return null
    const body = await executeOnce(publication.id, () => executeQuietly(publication))
    const { organizationId } = publication
    return (await findPublished(services, token)) && { organizationId, body }
  }
}

async function execute(services: Services, publication: PublicationRow): Promise<Published> {
  const { heading, description, presentation } = publication
  const asOf = await clockNow(services.db)
  const table = await runInsightSql(services, {
    ...publication,
    dataSchema: 'session_data_v1',
    limit: limits.publicationRows,
    turn: 'published',
  })
  return new WrittenBody<PublishedInsight>(table, {
    heading,
    ...(description !== null && { description }),
    ...(presentation && { presentation }),
    asOf,
  })
}
