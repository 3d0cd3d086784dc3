import { eq, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { retentionGraces, retentionPolicies } from '#platform/ground/database/tables/retention.ts'

type GraceRow = typeof retentionGraces.$inferSelect

export const hasPolicy = async (tx: Database, organizationId: string) =>
  (await tx.$count(retentionPolicies, eq(retentionPolicies.organizationId, organizationId))) > 0

type NewGrace = Omit<GraceRow, 'endsAt'> & { hours: number }

/** An earlier grace of the same subject is extended. */
export async function putGrace(tx: Database, { hours, ...subject }: NewGrace) {
  const endsAt = sql`clock_timestamp() + make_interval(hours => ${hours})`
  const { organizationId, subjectKind, subjectId } = retentionGraces
  await tx
    .insert(retentionGraces)
    .values({ ...subject, endsAt })
    .onConflictDoUpdate({ target: [organizationId, subjectKind, subjectId], set: { endsAt } })
}
