import { type Definition, dependenciesOf } from '#contract/definition.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import type { PushReceipt, pushExperiment as endpoint, VersionFile } from '#contract/experiments.ts'
import type { Context } from '#platform/context/context.ts'
import type { Database } from '#platform/database/open-database.ts'
import { invalid } from '#platform/failures/failure.ts'
import type { ExperimentKey } from './experiment-key.ts'
import { hashDefinition } from './fingerprint.ts'
import { loadVersion } from './load-version.ts'
import { parseDefinition } from './parse-definition.ts'
import { findStagedSizes, findVersions } from './store.ts'
import { storeVersion } from './store-version.ts'

/**
 * POST /experiments: registers YAML as a content-addressed version. Pushing a stored version again changes nothing but
 * its push time and keeps its ordinal. Errors: `invalid_argument` for YAML that is no definition, a package that names
 * unstaged blobs or gives their size wrongly, or required dependencies sent as raw YAML unless that definition is stored already.
 */
export async function pushExperiment(context: Context, input: VerbInput<typeof endpoint>): Promise<PushReceipt> {
  const definition = parseDefinition(input.experimentYaml)
  guardPackageShape(input)
  const key = { organizationId: context.organization.id, experimentId: definition.id }
  return context.db.transaction(async (tx) => {
    const files = await choosePackage(tx, key, definition, input)
    return storeVersion(tx, { ...key, creatorId: context.caller.userId, yaml: input.experimentYaml, definition, files })
  })
}

function guardPackageShape({ versionFiles = [], replaceVersionFiles }: VerbInput<typeof endpoint>) {
  if (versionFiles.length > 0 && !replaceVersionFiles) {
    throw invalid('`version_files` needs `replace_version_files: true`')
  }
}

/** The package of the version being pushed: the one sent with it, or that of an equal stored version. */
async function choosePackage(
  tx: Database,
  key: ExperimentKey,
  definition: Definition,
  { versionFiles = [], replaceVersionFiles }: VerbInput<typeof endpoint>,
): Promise<VersionFile[]> {
  if (replaceVersionFiles) {
    refuseOtherThanStaged(versionFiles, await findStagedSizes(tx, key.organizationId, versionFiles))
    return versionFiles
  }
  const definitionHash = hashDefinition(definition)
  const versions = await findVersions(tx, key)
  const same = versions.find(({ version }) => version.definitionHash === definitionHash)
  if (same) return (await loadVersion(tx, { ...key, fingerprint: same.version.fingerprint }))?.files ?? []
  if (dependenciesOf(definition).length > 0) {
    throw invalid(
      'The definition requires dependencies (files, setup or tests with a source), and a raw push carries none: stage them and push as JSON with version_files',
    )
  }
  return []
}

/** A size that is not the blob's own means that the client describes another file than the one it staged. */
function refuseOtherThanStaged(files: readonly VersionFile[], sizes: ReadonlyMap<string, number>) {
  const unstaged = new Set(files.map(({ tarSha256 }) => tarSha256).filter((sha256) => !sizes.has(sha256)))
  if (unstaged.size > 0) throw invalid(`\`version_files\` names blobs that are not staged: ${[...unstaged].join(', ')}`)
  const wrong = files.filter(({ tarSha256, sizeBytes }) => sizes.get(tarSha256) !== sizeBytes)
  if (wrong.length === 0) return
  const differences = wrong.map(
    ({ dest, tarSha256, sizeBytes }) => `${dest} says ${sizeBytes}, its staged blob has ${sizes.get(tarSha256)} bytes`,
  )
  throw invalid(`size_bytes in version_files is not the size of the blob: ${differences.join('; ')}`)
}
