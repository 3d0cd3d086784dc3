import { and, asc, eq } from 'drizzle-orm'

import type { ExperimentResource } from '#contract/resources.ts'
import { isUuid } from '#platform/ground/database/is-uuid.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import type { ExperimentKey } from './experiment-key.ts'
import { experimentResources } from '#platform/ground/database/tables/resources.ts'

export type ResourceKey = ExperimentKey & { resourceId: string }

const isOfExperiment = ({ organizationId, experimentId }: ExperimentKey) =>
  and(eq(experimentResources.organizationId, organizationId), eq(experimentResources.experimentId, experimentId))

const isResource = (key: ResourceKey) => and(isOfExperiment(key), isUuid(experimentResources.id, key.resourceId))

/** In the order in which they were added. */
export const findResources = (db: Database, key: ExperimentKey) =>
  db
    .select()
    .from(experimentResources)
    .where(isOfExperiment(key))
    .orderBy(asc(experimentResources.createdAt), asc(experimentResources.id))

/** Locks the link until the transaction ends. Null when there is none. */
export async function findResourceForUpdate(tx: Database, key: ResourceKey) {
  const [row] = await tx.select().from(experimentResources).where(isResource(key)).for('update')
  return row ?? null
}

export const insertResources = (tx: Database, resources: (typeof experimentResources.$inferInsert)[]) =>
  tx.insert(experimentResources).values(resources).returning()

/** Changes a link that the caller has locked. */
export async function changeResource(
  tx: Database,
  key: ResourceKey,
  change: { title?: string; url?: string; updatedAt: string },
) {
  const [row] = await tx.update(experimentResources).set(change).where(isResource(key)).returning()
  if (!row) throw new Error('A locked experiment link disappeared')
  return row
}

/** Returns false when there is no such link. */
export async function removeResource(db: Database, key: ResourceKey) {
  const removed = await db.delete(experimentResources).where(isResource(key)).returning({ id: experimentResources.id })
  return removed.length > 0
}

export const toResource = ({
  id,
  title,
  url,
  createdAt,
  updatedAt,
}: typeof experimentResources.$inferSelect): ExperimentResource => ({
  id,
  title,
  url,
  createdAt,
  updatedAt,
})
