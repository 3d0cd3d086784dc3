import type { Context } from '#platform/ground/context/context.ts'
import type { DemoKind } from '#platform/ground/database/tables/demo.ts'
import { findItem, insertItem, updateItem } from './store.ts'

type Made = { itemId: string; state?: string }

/**
 * Makes a part of the demo and records it in the same transaction, unless it is recorded: the next start completes a
 * demo that was killed, and what a person has deleted does not come back.
 */
export async function makeOnce(
  context: Context,
  { kind, name }: { kind: DemoKind; name: string },
  make: (context: Context) => Promise<Made>,
) {
  const key = { organizationId: context.organization.id, kind, name }
  if (await findItem(context.db, key)) return
  await context.db.transaction(async (tx) => {
    // First, so that of two servers that make it at once, the second waits here and then makes nothing.
    if (!(await insertItem(tx, { ...key, itemId: '', state: null }))) return
    const { itemId, state = null } = await make({ ...context, db: tx })
    await updateItem(tx, key, { itemId, state })
  })
  context.wakeRunEngine()
  context.wakeProjector()
}
