import type { Definition } from '#contract/definition.ts'
import { dependenciesOf } from '#contract/task.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import type { PushReceipt, pushExperiment as endpoint, VersionFile } from '#contract/experiments.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import type { ExperimentKey } from './experiment-key.ts'
import { hashDefinition } from './fingerprint.ts'
import { loadVersion } from './load-version.ts'
import { parseDefinitionApart } from './parse-definition-apart.ts'
import { findStagedSizes, findVersions } from './store.ts'
import { storeVersion } from './store-version.ts'

/**
 * POST /experiments: registers YAML as a content-addressed version. A push of a stored version keeps its ordinal and
 * only updates its text and push time. Errors: `invalid_argument` for an invalid definition, for a package with
 * unstaged blobs or wrong sizes, and for raw YAML with required dependencies unless that definition is already stored.
 */
export async function pushExperiment(context: Context, input: VerbInput<typeof endpoint>): Promise<PushReceipt> {
  const definition = await parseDefinitionApart(input.experimentYaml)
  guardPackageShape(input)
  const key = { organizationId: context.organization.id, experimentId: definition.id }
  return context.db.transaction(async (tx) => {
    const files = await choosePackage(tx, key, definition, input)
    return storeVersion(tx, {
      ...key,
      creatorId: context.caller.recordedUnder,
      yaml: input.experimentYaml,
      definition,
      files,
    })
  })
}

function guardPackageShape({ versionFiles = [], replaceVersionFiles }: VerbInput<typeof endpoint>) {
  if (versionFiles.length > 0 && !replaceVersionFiles) {
    throw invalid('`version_files` needs `replace_version_files: true`')
  }
}

/** The package of the pushed version: the one sent with it, or that of an equal stored version. */
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
      'The definition needs files that a raw push cannot send (`source` in files, setup or tests). Stage them and push as JSON with `version_files`',
    )
  }
  return []
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
