import type { VerbInput } from '#contract/endpoint.ts'
import type { forkExperiment as endpoint, ForkReceipt } from '#contract/experiments.ts'
import { forkId, forkName } from '#contract/fork-names.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { conflict } from '#platform/ground/failures/failure.ts'
import { findVersion } from './find-version.ts'
import { renameApart } from './parse-definition-apart.ts'
import type { Identity } from './rewrite-identity.ts'
import { findLatestFingerprint, reserveExperimentId } from './store.ts'
import { storeVersion } from './store-version.ts'

/**
 * POST /experiments/{id}/fork: registers the latest stored version of the source, with its package, as a new
 * experiment. It creates no runs and does not change the source. Errors: `not_found`; `already_exists` for a
 * `newExperimentId` in use; `invalid_argument` for one that is not a valid id.
 */
export async function forkExperiment(context: Context, input: VerbInput<typeof endpoint>): Promise<ForkReceipt> {
  const { db, organization, publicUrl } = context
  const latest = await findVersion(db, { organizationId: organization.id, experimentId: input.id })
  if (!latest) throw new Error('The experiment has no latest version')
  const name = input.newName ?? forkName(latest.definition.name)
  for (let counter = 1; ; counter += 1) {
    const experimentId = input.newExperimentId ?? forkId(input.id, counter)
    const fork = await storeFork(context, latest, { id: experimentId, name })
    if (fork)
      return {
        experimentId,
        name,
        experimentFingerprint: fork.fingerprint,
        url: `${publicUrl}/experiments/${experimentId}`,
        dataSchema: 'session_data_v1',
        sourceExperimentId: input.id,
        sourceExperimentFingerprint: latest.fingerprint,
      }
    if (input.newExperimentId) throw conflict(`Experiment "${experimentId}" already exists`)
  }
}

type Source = NonNullable<Awaited<ReturnType<typeof findVersion>>>

/** Null if the id is taken, perhaps since a moment. The YAML is written before the transaction, which an embedded database does alone. */
async function storeFork({ db, organization, caller }: Context, source: Source, identity: Identity) {
  const key = { organizationId: organization.id, experimentId: identity.id }
  if ((await findLatestFingerprint(db, key)) !== null) return null
  const { yaml, definitionHash } = await renameApart(organization.id, source.yaml, identity)
  return db.transaction(async (tx) => {
    if (!(await reserveExperimentId(tx, key))) return null
    return storeVersion(tx, {
      ...key,
      creatorId: caller.recordedUnder,
      yaml,
      definitionHash,
      // Its task folders have been read.
      definition: { ...source.definition, ...identity },
      files: source.files,
    })
  })
}
