import { and, asc, eq, gt, inArray, ne, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'

import { secretScheme } from '#contract/secret-references.ts'
import { likePattern } from '#platform/ground/database/like-pattern.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { experiments, experimentVersions } from '#platform/ground/database/tables/experiments.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import type { Sealed, SecretKey } from './seal.ts'
import { secrets } from '#platform/ground/database/tables/secrets.ts'

const isSecret = ({ organizationId, slug }: SecretKey) =>
  and(eq(secrets.organizationId, organizationId), eq(secrets.slug, slug))

const creators = alias(users, 'creators')
const updaters = alias(users, 'updaters')

type SecretFilter = {
  organizationId: string
  search?: string | undefined
  slugs?: string[] | undefined
  afterSlug?: string | undefined
  limit: number
}

/** Lists secrets by slug, without their values. */
export function findSecrets(db: Database, { organizationId, search, slugs, afterSlug, limit }: SecretFilter) {
  const pattern = search ? likePattern(search) : undefined
  return db
    .select({
      slug: secrets.slug,
      description: secrets.description,
      createdBy: { id: creators.id, email: creators.email, name: creators.name },
      createdAt: secrets.createdAt,
      updatedBy: { id: updaters.id, email: updaters.email, name: updaters.name },
      updatedAt: secrets.updatedAt,
      lastUsedAt: secrets.lastUsedAt,
    })
    .from(secrets)
    .innerJoin(creators, eq(creators.id, secrets.createdBy))
    .innerJoin(updaters, eq(updaters.id, secrets.updatedBy))
    .where(
      and(
        eq(secrets.organizationId, organizationId),
        slugs && inArray(secrets.slug, slugs),
        pattern === undefined
          ? undefined
          : sql`(${secrets.slug} ilike ${pattern} or ${secrets.description} ilike ${pattern})`,
        afterSlug === undefined ? undefined : gt(secrets.slug, afterSlug),
      ),
    )
    .orderBy(asc(secrets.slug))
    .limit(limit)
}

export type SecretRow = Awaited<ReturnType<typeof findSecrets>>[number]

/** Returns true if the secret was created. Its creator and creation time never change afterwards. */
export async function upsertSecret(
  db: Database,
  { userId, now, ...secret }: SecretKey & Sealed & { description: string | null; userId: string; now: string },
) {
  const { sealed, keyId, description } = secret
  const [row] = await db
    .insert(secrets)
    .values({ ...secret, createdBy: userId, createdAt: now, updatedBy: userId, updatedAt: now })
    .onConflictDoUpdate({
      target: [secrets.organizationId, secrets.slug],
      set: { sealed, keyId, description, updatedBy: userId, updatedAt: now },
    })
    .returning({ created: sql<boolean>`xmax = 0` })
  return row?.created ?? false
}

/** Returns whether the secret existed. */
export async function removeSecret(db: Database, key: SecretKey) {
  return (await db.delete(secrets).where(isSecret(key)).returning({ slug: secrets.slug })).length > 0
}

/** Returns the secrets in encrypted form. */
export const findSealed = (db: Database, organizationId: string, slugs: readonly string[]) =>
  db
    .select({ slug: secrets.slug, sealed: secrets.sealed, keyId: secrets.keyId })
    .from(secrets)
    .where(and(eq(secrets.organizationId, organizationId), inArray(secrets.slug, [...slugs])))

/** Many runs use one secret, so this writes its row at most once a minute. */
export async function touchSecrets(db: Database, organizationId: string, slugs: readonly string[]) {
  await db
    .update(secrets)
    .set({ lastUsedAt: sql`now()` })
    .where(
      and(
        eq(secrets.organizationId, organizationId),
        inArray(secrets.slug, [...slugs]),
        sql`(${secrets.lastUsedAt} is null or ${secrets.lastUsedAt} < now() - interval '1 minute')`,
      ),
    )
}

/**
 * Lists secrets of every organization that are encrypted with another key, in a stable order, starting after `after`.
 */
export const findSealedWithOtherKeys = (db: Database, keyId: string, after: SecretKey | undefined, limit: number) =>
  db
    .select({
      organizationId: secrets.organizationId,
      slug: secrets.slug,
      sealed: secrets.sealed,
      keyId: secrets.keyId,
    })
    .from(secrets)
    .where(
      and(
        ne(secrets.keyId, keyId),
        after &&
          or(
            gt(secrets.organizationId, after.organizationId),
            and(eq(secrets.organizationId, after.organizationId), gt(secrets.slug, after.slug)),
          ),
      ),
    )
    .orderBy(asc(secrets.organizationId), asc(secrets.slug))
    .limit(limit)

/** Returns false if the value was replaced meanwhile. Then it is already encrypted with a newer key. */
export async function resealSecret(db: Database, key: SecretKey, before: Sealed, after: Sealed) {
  const changed = await db
    .update(secrets)
    .set({ sealed: after.sealed, keyId: after.keyId })
    .where(and(isSecret(key), eq(secrets.sealed, before.sealed)))
    .returning({ slug: secrets.slug })
  return changed.length > 0
}

/** The places of environment values and model keys in a definition (contract/definition.ts). */
const environmentValues = `$.*[*].env.* ? (@ starts with "${secretScheme}")`
const modelKeys = `$.models[*].apiKey ? (@ starts with "${secretScheme}")`

/** Returns the names of the experiments whose latest version uses each of these references. */
export async function findUses(db: Database, organizationId: string, references: readonly string[]) {
  if (references.length === 0) return []
  const used = sql<string>`used.value #>> '{}'`
  return db
    .selectDistinct({ reference: used, experimentId: experiments.id, name: experiments.name })
    .from(experiments)
    .innerJoin(
      experimentVersions,
      and(
        eq(experimentVersions.organizationId, experiments.organizationId),
        eq(experimentVersions.experimentId, experiments.id),
        eq(experimentVersions.fingerprint, experiments.latestFingerprint),
      ),
    )
    .innerJoin(
      sql`lateral (
        select jsonb_path_query(${experimentVersions.definition}, ${environmentValues}::jsonpath) as value
        union all select jsonb_path_query(${experimentVersions.definition}, ${modelKeys}::jsonpath)) used`,
      sql`true`,
    )
    .where(and(eq(experiments.organizationId, organizationId), inArray(used, [...references])))
    .orderBy(asc(experiments.name), asc(experiments.id))
}
