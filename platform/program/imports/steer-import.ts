import type { VerbInput } from '#contract/endpoint.ts'
import { formatTitles } from '#contract/import-formats.ts'
import type {
  Import,
  previewImport as previewEndpoint,
  startImport as startEndpoint,
  undoImport as undoEndpoint,
} from '#contract/imports.ts'
import { can } from '#contract/permissions.ts'
import { audited } from '#platform/people/audit/audited.ts'
import { owns } from '#platform/ground/context/caller.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { conflict, denied, notFound, preconditionFailed } from '#platform/ground/failures/failure.ts'
import { isImported } from '#platform/inputs/experiments/imported-agents.ts'
import { findPrevious } from '#platform/program/imports/results/import-results.ts'
import { findPreviousTasks } from '#platform/program/imports/tasks/import-tasks.ts'
import { countRuns, updateImport } from './store.ts'
import { getImport, requireLocked, requireOwn } from './to-import.ts'

/** POST /imports/{id}/preview: the worker reads the files. Errors: `not_found`, `failed_precondition`. */
export async function previewImport(
  context: Context,
  { importId, format, pattern, columns }: VerbInput<typeof previewEndpoint>,
): Promise<Import> {
  await context.db.transaction(async (tx) => {
    const row = await requireOwn(context, tx, importId)
    if (row.startedAt !== null) throw preconditionFailed('The import was started')
    if (row.files === 0) throw preconditionFailed('The import has no files')
    await updateImport(tx, row.id, {
      state: 'reading',
      stateReason: null,
      format: format ?? null,
      pattern: pattern ?? null,
      columns: columns ?? null,
      preview: null,
      leaseToken: null,
      leaseUntil: null,
    })
  })
  return getImport(context, { importId })
}

/**
 * POST /imports/{id}/start: into a new experiment if it has a name, else into an imported one. One that failed continues.
 * Errors: `not_found`, `already_exists` for a new experiment whose id is taken, `failed_precondition`.
 */
export async function startImport(
  context: Context,
  { importId, experimentId, experimentName }: VerbInput<typeof startEndpoint>,
): Promise<Import> {
  await context.db.transaction(async (tx) => {
    const row = await requireOwn(context, tx, importId)
    const isAgain = row.startedAt !== null && row.state === 'failed'
    if (row.state !== 'ready' && !isAgain) throw preconditionFailed('The import is not ready to start')
    if (isAgain && (!row.isStaged || row.experimentId !== experimentId))
      throw preconditionFailed('Only the same files and the same experiment can be tried again')
    const isNew = isAgain ? row.isNew : experimentName !== undefined
    if (!row.preview) throw preconditionFailed('The files have not been read')
    const total = row.preview.tasks?.count ?? row.preview.runs
    if (total === 0) throw preconditionFailed('The files have no results and no tasks to import')
    const isExport = row.preview.formats.some(({ title }) => title === formatTitles.assay)
    const inTx = { ...context, db: tx }
    if (!isAgain && row.preview.tasks) await requireTargetOfTasks(inTx, experimentId, isNew)
    else if (!isAgain) await requireTarget(inTx, experimentId, { isNew, isExport })
    await updateImport(tx, row.id, {
      state: 'running',
      stateReason: null,
      experimentId,
      isNew,
      ...(!isAgain && { experimentName: experimentName ?? null, startedAt: await clockNow(tx) }),
      endedAt: null,
      done: 0,
      total,
    })
  })
  return getImport(context, { importId })
}

/** Whether an existing experiment has a version of an exported one is known once its versions are read. */
async function requireTarget(
  context: Context,
  experimentId: string,
  { isNew, isExport }: { isNew: boolean; isExport: boolean },
) {
  const previous = await findPrevious(context, experimentId)
  if (isNew && previous) throw conflict(`Experiment "${experimentId}" exists. Choose another id, or import into it`)
  if (!isNew && !previous) throw notFound(`Experiment "${experimentId}" does not exist`)
  if (previous && !isExport && !isImported(previous))
    throw preconditionFailed(
      `Experiment "${experimentId}" runs its own agents, so results of other tools cannot come in`,
    )
}

async function requireTargetOfTasks(context: Context, experimentId: string, isNew: boolean) {
  const previous = await findPreviousTasks(context, experimentId)
  if (isNew && previous) throw conflict(`Experiment "${experimentId}" exists. Choose another id, or import into it`)
  if (!isNew && !previous) throw notFound(`Experiment "${experimentId}" does not exist`)
}

/** POST /imports/{id}/undo: for its person and for admins. Errors: `not_found`, `permission_denied`, `failed_precondition`. */
export async function undoImport(context: Context, { importId }: VerbInput<typeof undoEndpoint>): Promise<Import> {
  await audited(context, async (tx, record) => {
    const row = await requireLocked(context, tx, importId)
    if (!owns(context.caller, row.createdBy) && !can(context.organization).deleteImportedRuns)
      throw denied('Only the person who imported it and admins can undo an import')
    if (row.startedAt === null) throw preconditionFailed('The import was not started')
    if (row.state === 'undoing' || row.state === 'undone') return
    const total = await countRuns(tx, row.id)
    record({
      event: 'run.delete',
      organizationId: context.organization.id,
      subject: row.id,
      details: { importedRuns: total },
    })
    await updateImport(tx, row.id, {
      state: 'undoing',
      stateReason: null,
      done: 0,
      total,
      leaseToken: null,
      leaseUntil: null,
    })
  })
  return getImport(context, { importId })
}
