import type { Definition } from '#contract/definition.ts'
import { dependenciesOf } from '#contract/task.ts'
import { taskPatternsOf } from '#contract/task-folders.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import type { PushReceipt, pushExperiment as endpoint, VersionFile } from '#contract/experiments.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import type { ExperimentKey, VersionKey } from './experiment-key.ts'
import { loadVersion } from './load-version.ts'
import { parseDefinitionApart } from './parse-definition-apart.ts'
import type { WrittenDefinition } from './read-written.ts'
import { readTaskFolders } from './read-task-folders.ts'
import { findStagedSizes, findVersions } from './store.ts'
import { storeVersion } from './store-version.ts'

/**
 * POST /experiments: registers YAML as a content-addressed version. A push of a stored version keeps its ordinal and
 * only updates its text and push time. Errors: `invalid_argument` for an invalid definition, for a package with
 * unstaged blobs or wrong sizes, and for raw YAML with required dependencies unless that definition is already stored.
 * `onVersion` is called in the transaction that stores it.
 */
export async function pushExperiment(
  context: Context,
  input: VerbInput<typeof endpoint>,
  onVersion: (tx: Database, pushed: PushReceipt) => Promise<void> = async () => {},
): Promise<PushReceipt> {
  const written = await parseDefinitionApart(context.organization.id, input.experimentYaml)
  guardPackageShape(input)
  const key = { organizationId: context.organization.id, experimentId: written.definition.id }
  const files = await choosePackage(context.db, key, written, input)
  const definition = await readTaskFolders(context, written.definition, files)
  return context.db.transaction(async (tx) => {
    const pushed = await storeVersion(tx, {
      ...key,
      creatorId: context.caller.recordedUnder,
      yaml: input.experimentYaml,
      definitionHash: written.definitionHash,
      definition,
      files,
      message: input.message,
    })
    await onVersion(tx, pushed)
    return pushed
  })
}

function guardPackageShape({ versionFiles = [], replaceVersionFiles, packageOfVersion }: VerbInput<typeof endpoint>) {
  if (packageOfVersion !== undefined && (replaceVersionFiles || versionFiles.length > 0))
    throw invalid('`package_of_version` cannot be sent with `version_files` or `replace_version_files`')
  if (versionFiles.length > 0 && !replaceVersionFiles) {
    throw invalid('`version_files` needs `replace_version_files: true`')
  }
}

/** The package of the pushed version: the one sent with it, or that of an equal stored version. */
async function choosePackage(
  db: Database,
  key: ExperimentKey,
  { definition, definitionHash }: WrittenDefinition,
  { versionFiles = [], replaceVersionFiles, packageOfVersion }: VerbInput<typeof endpoint>,
): Promise<VersionFile[]> {
  if (replaceVersionFiles) {
    refuseOtherThanStaged(versionFiles, await findStagedSizes(db, key.organizationId, versionFiles))
    return versionFiles
  }
  if (packageOfVersion !== undefined) return packageOf(db, { ...key, fingerprint: packageOfVersion }, definition)
  const versions = await findVersions(db, key)
  const same = versions.find(({ version }) => version.definitionHash === definitionHash)
  if (same) return (await loadVersion(db, { ...key, fingerprint: same.version.fingerprint }))?.files ?? []
  if (dependenciesOf(definition).length > 0 || taskPatternsOf(definition).length > 0) {
    throw invalid(
      'The definition needs files that a raw push cannot send (`tasks`, or `source` in files, setup or tests). Stage them and push as JSON with `version_files`',
    )
  }
  return []
}

/** The package of a stored version, if the definition needs no other files. */
async function packageOf(db: Database, key: VersionKey, definition: Definition): Promise<VersionFile[]> {
  const version = await loadVersion(db, key)
  if (!version) throw invalid(`Experiment "${key.experimentId}" has no version ${key.fingerprint}`)
  const sources = new Set(version.files.map(({ source, dest }) => JSON.stringify([source, dest])))
  const lacking = dependenciesOf(definition).filter(({ source, dest }) => !sources.has(JSON.stringify([source, dest])))
  if (lacking.length === 0) return version.files
  throw invalid(`The package of that version lacks ${lacking.map(({ source }) => source).join(', ')}`)
}

/** A declared size that differs from the blob means that the client staged another file than it describes. */
function refuseOtherThanStaged(files: readonly VersionFile[], sizes: ReadonlyMap<string, number>) {
  const unstaged = new Set(files.map(({ tarSha256 }) => tarSha256).filter((sha256) => !sizes.has(sha256)))
  if (unstaged.size > 0)
    throw invalid(`\`version_files\` refers to blobs that are not staged: ${[...unstaged].join(', ')}`)
  const wrong = files.filter(({ tarSha256, sizeBytes }) => sizes.get(tarSha256) !== sizeBytes)
  if (wrong.length === 0) return
  const differences = wrong.map(
    ({ dest, tarSha256, sizeBytes }) =>
      `${dest} declares ${sizeBytes} bytes, but its staged blob has ${sizes.get(tarSha256)}`,
  )
  throw invalid(`\`size_bytes\` in version_files differs from the staged blob: ${differences.join('; ')}`)
}
