import type { VerbInput } from '#contract/endpoint.ts'
import type { forkExperiment as endpoint, ForkReceipt } from '#contract/experiments.ts'
import { forkId, forkName } from '#contract/fork-names.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { conflict } from '#platform/ground/failures/failure.ts'
import { findVersion } from './find-version.ts'
import { readDefinition } from './parse-definition.ts'
import { rewriteIdentity } from './rewrite-identity.ts'
import type { ExperimentKey } from './experiment-key.ts'
import { reserveExperimentId } from './store.ts'
import { storeVersion } from './store-version.ts'

/**
 * POST /experiments/{id}/fork: registers the latest stored version of the source, with its package, as a new
 * experiment. It creates no runs and does not change the source. Errors: `not_found`; `already_exists` for a
 * `newExperimentId` in use; `invalid_argument` for one that is not a valid id.
 */
export async function forkExperiment(context: Context, input: VerbInput<typeof endpoint>): Promise<ForkReceipt> {
  const { db, organization, caller, publicUrl } = context
  const source = { organizationId: organization.id, experimentId: input.id }
  return db.transaction(async (tx) => {
    const latest = await findVersion(tx, source)
    if (!latest) throw new Error('The experiment has no latest version')
    const experimentId = input.newExperimentId
      ? await reserveId(tx, { ...source, experimentId: input.newExperimentId })
      : await reserveFreeId(tx, source)
    const name = input.newName ?? forkName(latest.definition.name)
    const yaml = rewriteIdentity(latest.yaml, { id: experimentId, name })
    const { files } = latest
    const key = { organizationId: organization.id, experimentId }
    const fork = await storeVersion(tx, {
      ...key,
      creatorId: caller.recordedUnder,
      yaml,
      written: readDefinition(yaml),
      // Its task folders have been read.
      definition: { ...latest.definition, id: experimentId, name },
      files,
    })
    return {
      experimentId,
      name,
      experimentFingerprint: fork.fingerprint,
      url: `${publicUrl}/experiments/${experimentId}`,
      dataSchema: 'session_data_v1',
      sourceExperimentId: input.id,
      sourceExperimentFingerprint: latest.fingerprint,
    }
  })
}

async function reserveId(tx: Database, key: ExperimentKey) {
  if (await reserveExperimentId(tx, key)) return key.experimentId
  throw conflict(`Experiment "${key.experimentId}" already exists`)
}

async function reserveFreeId(tx: Database, source: ExperimentKey) {
  for (let counter = 1; ; counter += 1) {
    const experimentId = forkId(source.experimentId, counter)
    if (await reserveExperimentId(tx, { ...source, experimentId })) return experimentId
  }
}
