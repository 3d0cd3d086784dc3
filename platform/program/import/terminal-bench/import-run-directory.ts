import type { Definition } from '#contract/definition.ts'
import { type Variant, variantsOf } from '#contract/variants.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { giveWay } from '#platform/ground/database/give-way.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import type { RunDirectory } from './find-run-directories.ts'
import { toSkipped, type Skipped } from './skipped.ts'
import { stableUuid } from './stable-id.ts'
import { findLastRepeats, findStoredRuns } from './store.ts'
import { type ImportedTrial, readLogs, storeTrials } from './store-trials.ts'
import { toAxisId } from './submission.ts'
import { timeOf } from './trial-to-run.ts'
import { type KnownTests, testsOf } from './trial-tests.ts'

/** The version of the imported runs. */
export type ImportTarget = { experimentId: string; fingerprint: string; ordinal: number; definition: Definition }

export type ImportReceipt = { imported: number; alreadyImported: number; skipped: Skipped[] }

type NamedTrial = { id: string; variant: Variant | undefined; found: RunDirectory['trials'][number] }

/** More would hold up whoever else needs the database, which does one transaction at a time if it is embedded. */
const trialsPerStore = 50

/**
 * Stores one run directory as one run request, each trial as a whole or not at all. Trials that cannot be stored are
 * listed in `skipped`. Ids derive from the directory's own id, so a second import finds the stored trials.
 */
export async function importRunDirectory(
  context: Context,
  target: ImportTarget,
  directory: RunDirectory,
  known: KnownTests,
): Promise<ImportReceipt> {
  const { db, organization } = context
  const scope = [organization.id, target.experimentId, directory.id]
  const trials = nameTrials(target.definition, directory, scope)
  const id = requestIdOf(organization.id, target.experimentId, directory)
  const request = await toRequest(context, target, directory, { id, trials })
  const repeats = await findLastRepeats(db, organization.id, target.experimentId)
  const receipt: ImportReceipt = { imported: 0, alreadyImported: 0, skipped: [] }
  const skip = ({ found }: NamedTrial, error: unknown) =>
    receipt.skipped.push(toSkipped('trial', `${directory.file}#${found.trial.trial_name}`, error))

  for (let start = 0; start < trials.length; start += trialsPerStore) {
    const named = new Map(trials.slice(start, start + trialsPerStore).map((trial) => [trial.id, trial]))
    const stored = await findStoredRuns(db, [...named.keys()])
    const read: ImportedTrial[] = []
    for (const [id, trial] of named) {
      if (stored.has(id)) continue
      try {
        read.push(await readTrial(context, trial, { repeats, known }))
      } catch (error) {
        skip(trial, error)
      }
    }
    const failed = await giveWay(db, () => storeTrials(db, request, read))
    for (const [id, error] of failed) {
      const trial = named.get(id)
      if (trial) skip(trial, error)
    }
    receipt.alreadyImported += stored.size
    receipt.imported += read.length - failed.size
  }
  return receipt
}

/** The id of the request that a run directory becomes. */
export const requestIdOf = (organizationId: string, experimentId: string, { id }: Pick<RunDirectory, 'id'>) =>
  stableUuid('run-request', organizationId, experimentId, id)

/** Each trial with the id of its run. Trials of the same name are distinguished by their position. */
function nameTrials(definition: Definition, { submission, trials }: RunDirectory, scope: readonly string[]) {
  const times = new Map<string, number>()
  const variants = new Map(
    variantsOf(definition)
      .filter(({ agent, model }) => agent === submission.agent && model === submission.model)
      .map((variant) => [variant.prompt ?? '', variant]),
  )
  return trials.map((found): NamedTrial => {
    const name = found.trial.trial_name
    const time = (times.get(name) ?? 0) + 1
    times.set(name, time)
    const variant = variants.get(toAxisId(found.trial.task_id))
    return { id: stableUuid('run', ...scope, name, String(time)), variant, found }
  })
}

async function toRequest(
  { db, organization, caller }: Context,
  { experimentId, fingerprint, ordinal }: ImportTarget,
  directory: RunDirectory,
  { id, trials }: { id: string; trials: readonly NamedTrial[] },
) {
  const variantIds = trials.flatMap(({ variant }) => variant?.variantId ?? [])
  const trialsOfVariant = Map.groupBy(variantIds, (variantId) => variantId)
  return {
    experimentId,
    fingerprint,
    ordinal,
    id,
    organizationId: organization.id,
    triggeredBy: caller.recordedUnder,
    variantIds: [...trialsOfVariant.keys()],
    repeat: Math.max(1, ...[...trialsOfVariant.values()].map((group) => group.length)),
    flags: [],
    mock: false,
    createdAt: timeOf(directory) ?? (await clockNow(db)),
  }
}

async function readTrial(
  context: Context,
  { id, variant, found }: NamedTrial,
  { repeats, known }: { repeats: Map<string, number>; known: KnownTests },
) {
  if (!variant) throw invalid(`the experiment has no variant for task ${found.trial.task_id}`)
  const repeat = (repeats.get(variant.variantId) ?? 0) + 1
  repeats.set(variant.variantId, repeat)
  return readLogs(context, { id, variant, repeat, trial: found.trial, tests: testsOf(found.trial, known) }, found.logs)
}
