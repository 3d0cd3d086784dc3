import type { Definition } from '#contract/definition.ts'
import type { PushReceipt, VersionFile } from '#contract/experiments.ts'
import { axesOf } from '#contract/variants.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { fingerprintOf } from './fingerprint.ts'
import { findVersions, insertVersion, lockExperiment, touchVersion, updateExperiment } from './store.ts'
import { toVersion } from './to-experiment.ts'

export type NewVersion = {
  organizationId: string
  experimentId: string
  creatorId: string
  yaml: string
  /** Of the definition as in the YAML. */
  definitionHash: string
  /** With the outline of each of its task folders. */
  definition: Definition
  files: VersionFile[]
  message?: string | undefined
}

/**
 * Makes a definition and its package the latest version of its experiment, and registers the experiment if it is new.
 * Stored content keeps its ordinal; only its text, its push time and, where one was sent, its message change. Pushes to one experiment run one at a time.
 */
export async function storeVersion(
  tx: Database,
  { creatorId, yaml, definitionHash, definition, files, message, ...key }: NewVersion,
): Promise<PushReceipt> {
  const now = await clockNow(tx)
  const fingerprint = fingerprintOf(definitionHash, files)
  const facts = {
    name: definition.name,
    description: definition.description ?? null,
    axes: axesOf(definition),
    latestFingerprint: fingerprint,
    updatedAt: now,
  }
  const row = {
    organizationId: key.organizationId,
    id: key.experimentId,
    ownerId: creatorId,
    versionCount: 0,
    createdAt: now,
  }
  const experiment = await lockExperiment(tx, { ...row, ...facts })
  const [stored] = await findVersions(tx, { ...key, fingerprint })
  if (stored) {
    await touchVersion(tx, { ...key, fingerprint }, { yaml, pushedAt: now, ...(message && { message }) })
  } else {
    const ordinal = experiment.versionCount + 1
    const version = { ...key, fingerprint, definitionHash, ordinal, yaml, definition, files, message: message || null }
    await insertVersion(tx, { ...version, creatorId, createdAt: now, pushedAt: now })
  }
  await updateExperiment(tx, key, { ...facts, versionCount: experiment.versionCount + (stored ? 0 : 1) })
  const [pushed] = await findVersions(tx, { ...key, fingerprint })
  if (!pushed) throw new Error('The pushed version disappeared')
  return { ...toVersion(pushed), created: !stored }
}
