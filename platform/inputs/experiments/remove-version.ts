import { axesOf } from '#contract/variants.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import type { VersionKey } from './experiment-key.ts'
import {
  deleteRow,
  deleteVersion,
  findLastPushed,
  findOrdinal,
  hasRuns,
  hasWork,
  lockRow,
} from './remove-version-store.ts'
import { updateExperiment } from './store.ts'

/**
 * Removes a version that nothing uses: it has no runs, and no later version follows. With the only version goes the experiment,
 * unless people made something with it. Returns what is gone.
 */
export async function removeVersion(tx: Database, key: VersionKey): Promise<'experiment' | 'version' | 'nothing'> {
  const experiment = await lockRow(tx, key)
  const ordinal = await findOrdinal(tx, key)
  if (!experiment || ordinal !== experiment.versionCount || (await hasRuns(tx, key))) return 'nothing'
  const isOnly = experiment.versionCount === 1
  if (isOnly && (await hasWork(tx, key))) return 'nothing'
  await deleteVersion(tx, key)
  const last = isOnly ? null : await findLastPushed(tx, key)
  if (!last) {
    await deleteRow(tx, key)
    return 'experiment'
  }
  const { definition, fingerprint, pushedAt } = last
  await updateExperiment(tx, key, {
    name: definition.name,
    description: definition.description ?? null,
    axes: axesOf(definition),
    latestFingerprint: fingerprint,
    versionCount: experiment.versionCount - 1,
    updatedAt: pushedAt,
  })
  return 'version'
}
