import type { Import, ImportList } from '#contract/imports.ts'
import type { getImport as getEndpoint } from '#contract/imports.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import { owns } from '#platform/ground/context/caller.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { findImport, findStartedImports, type ImportRow, type ImportWithCreator, lockImport } from './store.ts'

const shownImports = 20

const missing = () => notFound('There is no such import. One that is not started lasts for a day')

/** Everybody in the organization sees an import that was started, and only its person sees it before. Errors: `not_found`. */
async function requireImport({ db, organization, caller }: Context, id: string): Promise<ImportWithCreator> {
  const found = await findImport(db, organization.id, id)
  if (!found || (found.row.startedAt === null && !owns(caller, found.row.createdBy))) throw missing()
  return found
}

/** Locked until the transaction of `tx` ends. Errors: `not_found`. */
export async function requireLocked(context: Context, tx: Database, id: string): Promise<ImportRow> {
  const { row } = await requireImport({ ...context, db: tx }, id)
  const locked = await lockImport(tx, row.id)
  if (!locked) throw missing()
  return locked
}

/** One that is locked and that the caller created. Errors: `not_found`. */
export async function requireOwn(context: Context, tx: Database, id: string): Promise<ImportRow> {
  const row = await requireLocked(context, tx, id)
  if (!owns(context.caller, row.createdBy)) throw notFound('There is no such import of yours')
  return row
}

/** GET /imports/{id}. Errors: `not_found`. */
export const getImport = async (context: Context, { importId }: VerbInput<typeof getEndpoint>): Promise<Import> =>
  toImport(await requireImport(context, importId))

/** GET /imports: the newest 20 that were started, of everybody in the organization. */
export const listImports = async ({ db, organization }: Context): Promise<ImportList> => ({
  imports: (await findStartedImports(db, organization.id, shownImports)).map(toImport),
})

function toImport({ row, creator }: ImportWithCreator): Import {
  const { stateReason, endedAt, format, pattern, columns, preview, experimentId, result } = row
  return {
    id: row.id,
    state: row.state,
    ...(stateReason !== null && { stateReason }),
    createdBy: creator,
    createdAt: row.createdAt,
    ...(endedAt !== null && { endedAt }),
    files: row.files,
    bytes: row.bytes,
    ...(format !== null && { format }),
    ...(pattern !== null && { pattern }),
    ...(columns !== null && { columns }),
    ...(preview !== null && { preview }),
    ...(experimentId !== null && { experimentId }),
    isNew: row.isNew,
    progress: { done: row.done, total: row.total },
    ...(result !== null && { result }),
  }
}
