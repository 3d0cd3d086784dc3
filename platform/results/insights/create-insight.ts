import { v7 as newId } from 'uuid'

import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { createInsight as endpoint } from '#contract/insights.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { conflict } from '#platform/ground/failures/failure.ts'
import { checkInsightSql } from './insight-sql.ts'
import { requireCanChange } from './policy.ts'
import { requireInsight } from './require-insight.ts'
import { resolveProvenance, type StoredProvenance } from './resolve-provenance.ts'
import { changeInsight, findInsight, findTakenSlugs, insertInsight } from './store.ts'
import { toInsight } from './to-insight.ts'

/** Leaves room for a counter within the maximum slug length. */
const longest = 80

/** `Pass rate, by model` → `pass-rate-by-model`. A heading without Latin letters or digits becomes `insight`. */
function slugOf(heading: string) {
  const words = heading
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return words?.join('-').slice(0, longest).replace(/-$/, '') ?? 'insight'
}

/** The slug, or the slug with the first free counter: `x`, `x-2`, `x-3`… */
function firstFree(slug: string, taken: ReadonlySet<string>) {
  for (let counter = 1; ; counter += 1) {
    const candidate = counter === 1 ? slug : `${slug}-${counter}`
    if (!taken.has(candidate)) return candidate
  }
}

/** Fields as `#contract/insight-fields.ts` reads them. */
export type NewInsight = VerbInput<typeof endpoint>
type Saved = ResponseOf<typeof endpoint>

/**
 * POST /insights, and `saveInsight` of a query. The slug is sent, or generated from the heading. `force` overwrites the
 * insight with that slug: its whole content, its provenance only when sent, and never its id, slug or owner. Without
 * `force`, a sent slug in use is refused, and a generated one gets a counter.
 * Errors: `already_exists`; `not_found` for the provenance target; `invalid_argument` for invalid SQL or provenance;
 * `permission_denied` for an overwrite of another person's insight.
 */
export async function createInsight(context: Context, input: NewInsight): Promise<Saved> {
  const slug = input.slug ?? (input.force ? slugOf(input.heading) : null)
  if (slug === null) return insertMinted(context, input, await prepare(context, input, null))
  // Each attempt can fail because another writer took or freed the slug meanwhile.
  for (;;) {
    const existing = await findInsight(context.db, { organizationId: context.organization.id, reference: slug })
    if (existing && !input.force) throw conflict(`Insight "${slug}" already exists; send force to overwrite it`)
    const saved = existing
      ? await overwrite(context, existing.insight, input)
      : await insert(context, slug, await prepare(context, input, null))
    if (saved) return saved
  }
}

/** The values to write, after every check. */
async function prepare(context: Context, input: NewInsight, existing: StoredProvenance | null) {
  const { heading, sql, description, labels, includeTestAware = false, presentation } = input
  const provenance = await resolveProvenance(context, input, existing)
  await checkInsightSql(context, { ...provenance, organizationId: context.organization.id, sql, includeTestAware })
  // A save replaces the whole content: fields that are not sent become empty.
  const content = { heading, sql, description: description || null, labels: labels ?? [] }
  return { ...content, includeTestAware, presentation: presentation ?? null, ...provenance }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

async function overwrite(
  context: Context,
  existing: StoredProvenance & { id: string; slug: string; ownerId: string },
  input: NewInsight,
) {
  requireCanChange(context, existing)
  const prepared = await prepare(context, input, existing)
  const stamps = { updatedBy: context.caller.recordedUnder, updatedAt: await clockNow(context.db) }
  const isThere = await changeInsight(context.db, existing.id, { ...prepared, ...stamps })
  return isThere ? saved(context, existing.id, false) : null
}

async function insertMinted(context: Context, input: NewInsight, prepared: Prepared) {
  const minted = slugOf(input.heading)
  for (;;) {
    const taken = await findTakenSlugs(context.db, context.organization.id, minted)
    const saved = await insert(context, firstFree(minted, taken), prepared)
    if (saved) return saved
  }
}

/** Returns null when the slug is in use. */
async function insert(context: Context, slug: string, prepared: Prepared) {
  const now = await clockNow(context.db)
  const { recordedUnder } = context.caller
  const id = `ins_${newId().replaceAll('-', '')}`
  const isInserted = await insertInsight(context.db, {
    ...prepared,
    id,
    organizationId: context.organization.id,
    slug,
    ownerId: recordedUnder,
    updatedBy: recordedUnder,
    createdAt: now,
    updatedAt: now,
  })
  return isInserted ? saved(context, id, true) : null
}

async function saved(context: Context, id: string, created: boolean): Promise<Saved> {
  const row = await requireInsight(context, id)
  return { insight: toInsight(context, row), sql: row.insight.sql, created }
}
