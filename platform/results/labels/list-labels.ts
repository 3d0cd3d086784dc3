import type { VerbInput } from '#contract/endpoint.ts'
import type { LabelList, listLabels as endpoint, listTags as tagsEndpoint } from '#contract/labels.ts'
import { limits } from '#contract/wire/limit.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { findLabels, findTags, type LabelWithCreator } from './store.ts'
import { requireRun } from './require-run.ts'
import { isOwn, toLabel } from './to-label.ts'

/**
 * GET /runs/{id}/labels: oldest first. A blind reader sees the labels of others only after they put a tag on the run
 * themselves. Errors: `not_found`.
 */
export async function listLabels(
  context: Context,
  { id, blind = false }: VerbInput<typeof endpoint>,
): Promise<LabelList> {
  const run = await requireRun(context, id)
  const rows = await findLabels(context.db, run.id)
  const own = rows.filter((row) => isOwn(context, row))
  const shown = blind && !own.some(isTagOfRun) ? own : rows
  return { labels: shown.map((row) => toLabel(context, row)), hiddenCount: rows.length - shown.length }
}

const isTagOfRun = ({ label }: LabelWithCreator) =>
  label.kind === 'tag' && label.testName === null && label.turn === null

/** GET /tags */
export const listTags = async ({ db, organization }: Context): Promise<ResponseOf<typeof tagsEndpoint>> => ({
  tags: await findTags(db, organization.id, limits.tagsPerOrganization),
})
