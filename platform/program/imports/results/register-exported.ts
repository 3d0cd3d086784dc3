import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { conflict, invalid } from '#platform/ground/failures/failure.ts'
import { fingerprintOf } from '#platform/inputs/experiments/fingerprint.ts'
import { hasVersion } from '#platform/inputs/experiments/find-version.ts'
import { loadVersion } from '#platform/inputs/experiments/load-version.ts'
import { parseDefinitionApart, renameApart } from '#platform/inputs/experiments/parse-definition-apart.ts'
import { hasExperiment } from '#platform/inputs/experiments/require-experiment.ts'
import { readTaskFolders } from '#platform/inputs/experiments/read-task-folders.ts'
import { stageTar } from '#platform/inputs/experiments/stage-file.ts'
import { storeVersion } from '#platform/inputs/experiments/store-version.ts'
import type { ExportedVersions } from '#platform/program/import-formats/reading/exported-experiment.ts'
import type { ResultSource } from './result-source.ts'
import type { ImportedVersion, ImportTarget } from './write-batches.ts'

export type VersionHook = (tx: Database, version: { fingerprint: string; created: boolean }) => Promise<void>

type Registration = {
  experimentId: string
  /** That the experiment gets; by default its own. */
  name: string | undefined
  exported: ExportedVersions
  source: Pick<ResultSource, 'packageFile'>
  onVersion: VersionHook | undefined
}

/**
 * Registers the versions of an exported experiment, in their order and with their packages. An experiment that exists must have
 * one of them, and keeps its latest version. Errors: `already_exists`, `invalid_argument` for a definition or a package that
 * cannot be stored.
 */
export async function registerExported(
  context: Context,
  { experimentId, name, exported, source, onVersion }: Registration,
): Promise<ImportTarget> {
  const { db, organization, caller } = context
  const key = { organizationId: organization.id, experimentId }
  const identity = { id: experimentId, name: name ?? exported.name }
  const isRenamed = identity.id !== exported.experimentId || identity.name !== exported.name
  const versions = []
  for (const { yaml: original, ...version } of exported.versions) {
    // Checked before anything else reads it.
    const checked = await parseDefinitionApart(organization.id, original)
    const written = isRenamed ? await renameApart(organization.id, original, identity) : { yaml: original, ...checked }
    const fingerprint = fingerprintOf(written.definitionHash, version.files)
    const isStored = await hasVersion(db, { ...key, fingerprint })
    versions.push({ ...version, ...written, exportedAs: version.fingerprint, fingerprint, isStored })
  }
  const isNew = !(await hasExperiment(db, key))
  if (!isNew && !versions.some(({ isStored }) => isStored))
    throw conflict(
      `Experiment "${experimentId}" exists and has no version of the exported experiment. Import it as a new one`,
    )
  await stagePackages(context, exported, source)
  const latest = versions.find(({ isLatest }) => isLatest)
  const ordered = isNew && latest ? [...versions, latest] : versions.filter(({ isStored }) => !isStored)
  const creatorId = caller.recordedUnder
  // Each in its own transaction, which gives each its own time: lists order versions by it.
  for (const { yaml, definitionHash, definition: written, files } of ordered) {
    const definition = await readTaskFolders(context, written, files)
    await db.transaction(async (tx) => {
      const version = await storeVersion(tx, { ...key, creatorId, yaml, definitionHash, definition, files })
      await onVersion?.(tx, version)
    })
  }
  const found = new Map<string, ImportedVersion>()
  for (const { exportedAs, fingerprint } of versions) {
    const stored = await loadVersion(db, { ...key, fingerprint })
    if (stored) found.set(exportedAs, { fingerprint, ordinal: stored.ordinal, definition: stored.definition })
  }
  return { experimentId, versions: found }
}

/** A version whose package lacks a file could not be submitted, and would say so only then. */
async function stagePackages(
  context: Context,
  { versions }: ExportedVersions,
  { packageFile }: Registration['source'],
) {
  const wanted = new Map(versions.flatMap(({ files }) => files.map((file) => [file.tarSha256, file] as const)))
  for (const { dest, tarSha256, sizeBytes } of wanted.values()) {
    const tar = await packageFile(tarSha256)
    const staged = tar && (await stageTar(context, tar))
    if (staged?.tarSha256 !== tarSha256 || staged.sizeBytes !== sizeBytes)
      throw invalid(`The package file "${dest}" of the exported experiment is missing or damaged`)
  }
}
