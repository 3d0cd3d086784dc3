import { clockNow } from '#platform/ground/database/clock.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { importResults } from '#platform/program/imports/results/import-results.ts'
import { discardFiles } from './discard-import.ts'
import type { HeldImport } from './held-import.ts'
import { runTasksImport } from './run-tasks-import.ts'
import { startOf } from './read-import.ts'
import { withStagedFiles } from './stage-files.ts'
import { addMadeVersion, countRuns, recordRuns, updateImport } from './store.ts'
import { toLeftOut } from './to-preview.ts'

/** Imports the files. Each run is stored together with the fact that this import made it, so an undo finds exactly those. */
export async function runImport(context: Context, held: HeldImport) {
  const { row, signal, update, lock } = held
  const experimentId = row.experimentId ?? ''
  if (row.preview?.tasks) {
    return withStagedFiles(context, row, (folder) => runTasksImport(context, held, folder))
  }
  const receipt = await withStagedFiles(context, row, async (folder) => {
    const { options, ...start } = startOf(row, row.columns, folder)
    return importResults(context, {
      ...start,
      columns: options.columns,
      pattern: options.pattern,
      experimentId,
      signal,
      ...(row.isNew && row.experimentName !== null && { about: { name: row.experimentName } }),
      importId: row.id,
      async onVersion(tx, { fingerprint, created }) {
        await lock(tx)
        if (created) await addMadeVersion(tx, row.id, fingerprint)
      },
      async onStore(tx, runIds) {
        await lock(tx)
        await recordRuns(tx, row.id, runIds)
      },
      onProgress: (done, total) => update({ done, total }),
    })
  })
  const imported = await countRuns(context.db, row.id)
  const alreadyImported = receipt.imported + receipt.alreadyImported - imported
  await context.db.transaction(async (tx) => {
    await lock(tx)
    await discardFiles(tx, row.id)
    await updateImport(tx, row.id, {
      state: 'done',
      endedAt: await clockNow(tx),
      result: { imported, alreadyImported: Math.max(0, alreadyImported), leftOut: toLeftOut(receipt.leftOut) },
    })
  })
}
