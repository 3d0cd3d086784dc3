import { v7 as newId } from 'uuid'

import type { VerbInput } from '#contract/endpoint.ts'
import { type createSavedView as endpoint, isOfExperiment, type SavedView } from '#contract/saved-views.ts'
import { limits } from '#contract/wire/limit.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { exhausted, invalid } from '#platform/ground/failures/failure.ts'
import { requireExperiment } from '#platform/inputs/experiments/require-experiment.ts'
import { nameTaken } from './name-taken.ts'
import { requireSavedView } from './require-saved-view.ts'
import { countViewsOf, insertView, lockViews } from './store.ts'
import { toSavedView } from './to-saved-view.ts'

type Input = VerbInput<typeof endpoint>

/**
 * POST /saved-views: saves a query of a page under a name that the caller has not used on that page. Errors:
 * `invalid_argument`, `not_found` for an unknown experiment, `already_exists` for a used name, `resource_exhausted` at
 * the limit of views.
 */
export async function createSavedView(context: Context, { experimentId, ...view }: Input): Promise<SavedView> {
  const { caller, organization } = context
  if (isOfExperiment(view.page) !== (experimentId !== undefined))
    throw invalid(
      experimentId === undefined
        ? 'Send `experimentId`: this page belongs to an experiment'
        : 'This page belongs to no experiment: leave out `experimentId`',
    )
  if (experimentId !== undefined) await requireExperiment(context.db, { organizationId: organization.id, experimentId })
  return context.db.transaction(async (tx) => {
    await lockViews(tx, organization.id)
    if ((await countViewsOf(tx, organization.id, caller.recordedUnder)) >= limits.savedViewsPerPerson)
      throw exhausted(`You already have ${limits.savedViewsPerPerson} saved views. Delete one that is not used`)
    const [id, now] = [newId(), await clockNow(tx)]
    const row = { ...view, id, organizationId: organization.id, experimentId: experimentId ?? '' }
    const isNew = await insertView(tx, { ...row, createdBy: caller.recordedUnder, createdAt: now, updatedAt: now })
    if (!isNew) throw nameTaken(view.name)
    return toSavedView(context, await requireSavedView(context, tx, id))
  })
}
