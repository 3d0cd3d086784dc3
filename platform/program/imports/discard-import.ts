import type { VerbInput } from '#contract/endpoint.ts'
import type { deleteImport as endpoint } from '#contract/imports.ts'
import type { Context, Services } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { preconditionFailed } from '#platform/ground/failures/failure.ts'
import { noteRemovedBlobs } from '#platform/results/retention/forget-removals.ts'
import { deleteImportRow, deleteParts, findOutdatedImports, updateImport } from './store.ts'
import { requireOwn } from './to-import.ts'

/** Deletes the files of an import. Their blobs go after the commit. */
export async function discardFiles(tx: Database, importId: string) {
  await noteRemovedBlobs(tx, await deleteParts(tx, importId))
  await updateImport(tx, importId, { isStaged: false })
}

export async function discardImport(tx: Database, importId: string) {
  await discardFiles(tx, importId)
  await deleteImportRow(tx, importId)
}

/** DELETE /imports/{id}. Errors: `not_found`, `failed_precondition` once it was started, which an undo reverts. */
export async function deleteImport(context: Context, { importId }: VerbInput<typeof endpoint>): Promise<undefined> {
  await context.db.transaction(async (tx) => {
    const row = await requireOwn(context, tx, importId)
    if (row.startedAt !== null) throw preconditionFailed('The import was started. Undo it instead')
    await discardImport(tx, row.id)
  })
}

/** Deletes imports that nobody started, and the files of failed ones that nobody tried again. Returns whether there may be more. */
export async function deleteOldImports({ db }: Pick<Services, 'db'>): Promise<boolean> {
  const old = await findOutdatedImports(db)
  for (const { id, isStarted } of old)
    await db.transaction((tx) => (isStarted ? discardFiles(tx, id) : discardImport(tx, id)))
  return old.length > 0
}
