import type { VerbInput } from '#contract/endpoint.ts'
import type {
  deleteSavedView as deleteEndpoint,
  markSavedView,
  SavedView,
  updateSavedView,
} from '#contract/saved-views.ts'
import { owns, personOf } from '#platform/ground/context/caller.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { conflict, invalid } from '#platform/ground/failures/failure.ts'
import { nameTaken } from './name-taken.ts'
import { requireChangeableView, requireSavedView } from './require-saved-view.ts'
import { changeView, isNameTaken, lockViews, removeView, setDefault, setFavorite } from './store.ts'
import { toSavedView } from './to-saved-view.ts'

/**
 * PATCH /saved-views/{viewId}: changes the sent fields only. Errors: `not_found`, `permission_denied`,
 * `already_exists` for a used name, `invalid_argument` for an empty change.
 */
export async function changeSavedView(
  context: Context,
  { viewId, name, query, isShared }: VerbInput<typeof updateSavedView>,
): Promise<SavedView> {
  if (name === undefined && query === undefined && isShared === undefined)
    throw invalid('Send `name`, `query` or `isShared`: nothing would change')
  return context.db.transaction(async (tx) => {
    await lockViews(tx, context.organization.id)
    const row = await requireChangeableView(context, tx, viewId)
    if (name !== undefined && (await isNameTaken(tx, row, name)))
      throw owns(context.caller, row.view.createdBy)
        ? nameTaken(name)
        : conflict(`${row.creator.name} already has a view named "${name}" on this page`)
    const change = {
      ...(name !== undefined && { name }),
      ...(query !== undefined && { query }),
      ...(isShared !== undefined && { isShared }),
      updatedAt: await clockNow(tx),
    }
    await changeView(tx, viewId, change)
    // An admin who stops sharing a colleague's view no longer sees it.
    return toSavedView(context, { ...row, view: { ...row.view, ...change } })
  })
}

/** PUT /saved-views/{viewId}/marks: for the caller alone. Errors: `not_found`, `invalid_argument` for no mark. */
export async function changeMarks(
  context: Context,
  { viewId, isFavorite, isDefault }: VerbInput<typeof markSavedView>,
): Promise<SavedView> {
  const userId = personOf(context.caller)
  if (isFavorite === undefined && isDefault === undefined)
    throw invalid('Send `isFavorite` or `isDefault`: nothing would change')
  return context.db.transaction(async (tx) => {
    await lockViews(tx, context.organization.id)
    const row = await requireSavedView(context, tx, viewId)
    if (isFavorite !== undefined) await setFavorite(tx, { viewId, userId }, isFavorite)
    if (isDefault !== undefined) await setDefault(tx, row, userId, isDefault)
    return toSavedView(context, await requireSavedView(context, tx, viewId))
  })
}

/** DELETE /saved-views/{viewId}: also for everybody who uses a shared view. Errors: `not_found`, `permission_denied`. */
export async function deleteSavedView(
  context: Context,
  { viewId }: VerbInput<typeof deleteEndpoint>,
): Promise<undefined> {
  await context.db.transaction(async (tx) => {
    await lockViews(tx, context.organization.id)
    await requireChangeableView(context, tx, viewId)
    await removeView(tx, viewId)
  })
  return undefined
}
