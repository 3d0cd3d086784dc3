import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { isUuidText } from '#platform/ground/database/is-uuid.ts'
import { denied, notFound } from '#platform/ground/failures/failure.ts'
import { findView, type ViewRow } from './store.ts'
import { canChange, readerOf } from './to-saved-view.ts'

/** The same `not_found` for a view that does not exist and for one that is another person's own. */
export async function requireSavedView(context: Context, tx: Database, viewId: string): Promise<ViewRow> {
  const row = isUuidText(viewId) ? await findView(tx, readerOf(context), viewId) : null
  if (!row) throw notFound('There is no such saved view')
  return row
}

/** Also `permission_denied` for a shared view of somebody else, unless the caller is an admin. */
export async function requireChangeableView(context: Context, tx: Database, viewId: string): Promise<ViewRow> {
  const row = await requireSavedView(context, tx, viewId)
  if (canChange(context, row)) return row
  throw denied(`Only ${row.creator.name} or an admin can change this view. Save your own view instead`)
}
