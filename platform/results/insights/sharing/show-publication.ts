import type { PublishedInsight } from '#contract/publications.ts'
import { limits } from '#contract/wire/limit.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { crowded, Failure, unavailable } from '#platform/ground/failures/failure.ts'
import { SerializedBody } from '#platform/ground/routes/serialized-body.ts'
import type { SerializedTable } from '#platform/ground/services/serialized-table.ts'
import { runInsightSql } from '#platform/results/insights/insight-sql.ts'
import { coalesce } from '#platform/results/publications/coalesce.ts'
import { findPublishedInsight, type FrozenInsight } from '#platform/results/publications/find-published-insight.ts'
import { createResultCache } from '#platform/results/publications/result-cache.ts'

export type Published = SerializedBody<PublishedInsight, SerializedTable>

/** At most twelve executions a minute, however many visitors there are. */
const freshMs = 5000

/** In bytes of JSON, for the results of all publications together. */
const maxBytesFresh = 64 * 1024 ** 2

const tooMany = () => crowded('Too many published results are being computed. Try again shortly')

/**
 * The public view of a publication, or null when there is none. Visitors within a few seconds share one result, but
 * each request checks that the publication still exists. Errors: `resource_exhausted`; `unavailable` for any other
 * failure of the query, because its message could quote the SQL.
 */
export function publicationViewer(services: Services) {
  const executeOnce = coalesce(
    createResultCache(freshMs, maxBytesFresh, ({ text }: Published) => text.bytes),
    tooMany,
  )

  const executeQuietly = (publication: FrozenInsight) =>
    execute(services, publication).catch((error: unknown) => {
      if (error instanceof Failure) throw unavailable('The result is not available at the moment')
      throw error
    })

  return async (token: string): Promise<{ organizationId: string; body: Published } | null> => {
    const publication = await findPublishedInsight(services, token)
    if (!publication) return null
    const body = await executeOnce(publication.id, () => executeQuietly(publication))
    const { organizationId } = publication
    return (await findPublishedInsight(services, token)) && { organizationId, body }
  }
}

async function execute(services: Services, publication: FrozenInsight): Promise<Published> {
  const { heading, description, presentation, organizationName, experimentName, provenance, publishedAt } = publication
  const asOf = await clockNow(services.db)
  const table = await runInsightSql(services, {
    ...publication,
    dataSchema: 'session_data_v1',
    limit: limits.publicationRows,
    origin: 'published',
  })
  return new SerializedBody(table, {
    heading,
    ...(description !== null && { description }),
    ...(presentation && { presentation }),
    organization: { name: organizationName },
    about: { kind: provenance, ...(experimentName !== null && { experiment: experimentName }) },
    publishedAt,
    asOf,
  })
}
