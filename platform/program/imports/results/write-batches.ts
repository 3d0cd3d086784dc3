import { logTrouble } from '#server-kit/log-fault.ts'
import type { Definition } from '#contract/definition.ts'
import { type Variant, variantsOf } from '#contract/variants.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { giveWay } from '#platform/ground/database/give-way.ts'
import { Failure, invalid } from '#platform/ground/failures/failure.ts'
import { stableUuid } from '#platform/ground/ids/stable-id.ts'
import type { LeftOut } from '#platform/program/import-formats/reading/left-out.ts'
import type { ResultRun } from './result-run.ts'
import { findLastRepeats, findStoredRuns } from './store.ts'
import { type StorableRun, type StoreHook, storeChanges, storeRuns, storeTranscript } from './store-runs.ts'
import { runIdOf } from './run-id.ts'
import type { ResultSource } from './result-source.ts'
import type { Batch } from './survey-runs.ts'
import { toEndedRun } from './to-ended-run.ts'

export type ImportedVersion = { fingerprint: string; ordinal: number; definition: Definition }

/** The versions of the imported runs: those of an exported experiment by its fingerprints, or the one of an import. */
export type ImportTarget = { experimentId: string; versions: ReadonlyMap<string, ImportedVersion> }

export const importedVersion = ''

export type ImportReceipt = { imported: number; alreadyImported: number; leftOut: LeftOut[] }

/** The id of the request that a batch becomes. */
export const requestIdOf = (organizationId: string, experimentId: string, { id }: { id: string }) =>
  stableUuid('run-request', organizationId, experimentId, id)

const keyOf = ({ agent, model, prompt }: { agent: string | null; model: string | null; prompt: string | null }) =>
  [agent, model, prompt].join('\0')

/**
 * Stores each batch as one run request, each run as a whole or not at all. Runs that cannot be stored are in `leftOut`. Ids
 * derive from what identifies the runs, so a second import finds the stored ones.
 */
export async function writeBatches(
  context: Context,
  target: ImportTarget,
  {
    source,
    importId,
    onProgress,
    onStore,
  }: {
    source: ResultSource
    importId: string | null
    onProgress: (done: number) => void | Promise<void>
    /** Called in the transaction that stores these runs. */
    onStore?: StoreHook | undefined
  },
): Promise<ImportReceipt> {
  const variantsOfVersion = new Map([...target.versions].map(([key, version]) => [key, variantsByKey(key, version)]))
  const repeats = await findLastRepeats(context.db, context.organization.id, target.experimentId)
  const batches = new Map((await source.batches()).map((batch) => [batch.id, batch]))
  const receipt: ImportReceipt = { imported: 0, alreadyImported: 0, leftOut: [] }
  const scope = { organizationId: context.organization.id, experimentId: target.experimentId }
  let done = 0
  for (let chunk = await source.next(); chunk; chunk = await source.next()) {
    receipt.alreadyImported += chunk.stored
    done += chunk.stored + chunk.runs.length
    const [first] = chunk.runs
    const batch = first && batches.get(first.batch.id)
    if (first && !batch) throw invalid('A file changed while it was imported. Import it again')
    if (!batch) continue
    const version = batch.archived?.fingerprint ?? importedVersion
    const variants = variantsOfVersion.get(version) ?? new Map<string, Variant>()
    const request = await toRequest(context, target, { batch, variants, version: target.versions.get(version) })
    const named = chunk.runs.map((run) => ({ run, id: runIdOf(scope, run.key) }))
    const stored = await findStoredRuns(
      context.db,
      named.map(({ id }) => id),
    )
    const ready: StorableRun[] = []
    for (const { run, id } of named) {
      if (stored.has(id)) continue
      const variant = variants.get(variantKey(run))
      if (!variant || !request) {
        receipt.leftOut.push({
          what: 'trial',
          file: run.file,
          reason: 'its version of the experiment does not have its variant',
        })
        continue
      }
      const repeat = run.archived?.values.repeat ?? nextRepeat(repeats, variant, run)
      ready.push(await toStorable(context, request, { id, variant, repeat, run, importId }))
    }
    const failed = request
      ? await giveWay(context.db, () => storeRuns(context.db, request, ready, onStore))
      : new Map<string, unknown>()
    const files = new Map(named.map(({ run, id }) => [id, run.file]))
    for (const [id, error] of failed) receipt.leftOut.push(toLeftOut('trial', files.get(id) ?? '', error))
    receipt.alreadyImported += stored.size
    receipt.imported += ready.length - failed.size
    await onProgress(done)
    context.wakeProjector()
  }
  return receipt
}

/** The repeat that the tool counted, unless the variant already has one as high; else the next one. */
function nextRepeat(repeats: Map<string, number>, { variantId }: Variant, { repeat: counted }: ResultRun) {
  const last = repeats.get(variantId) ?? 0
  const repeat = counted !== null && counted > last ? counted : last + 1
  repeats.set(variantId, repeat)
  return repeat
}

const variantKey = (run: ResultRun) => run.archived?.values.variantId ?? keyOf(run)

/** Runs of Assay name their variant; those of other tools have an agent, a model and a prompt. */
const variantsByKey = (key: string, { definition }: ImportedVersion) =>
  new Map(
    variantsOf(definition).map((variant) => [key === importedVersion ? keyOf(variant) : variant.variantId, variant]),
  )

type Request = NonNullable<Awaited<ReturnType<typeof toRequest>>>

async function toRequest(
  { db, organization, caller }: Context,
  { experimentId }: ImportTarget,
  {
    batch,
    variants,
    version,
  }: { batch: Batch; variants: ReadonlyMap<string, Variant>; version: ImportedVersion | undefined },
) {
  if (!version) return null
  return {
    experimentId,
    fingerprint: version.fingerprint,
    ordinal: version.ordinal,
    id: requestIdOf(organization.id, experimentId, batch),
    organizationId: organization.id,
    triggeredBy: caller.recordedUnder,
    variantIds: batch.cells.flatMap((cell) => variants.get(cell.variantId ?? keyOf(cell))?.variantId ?? []),
    repeat: batch.cells.reduce((most, { runs }) => Math.max(most, runs), 1),
    flags: [],
    mock: batch.archived?.mock ?? false,
    createdAt: batch.createdAt ?? (await clockNow(db)),
  }
}

type NamedRun = { id: string; variant: Variant; repeat: number; run: ResultRun; importId: string | null }

async function toStorable(
  context: Context,
  request: Request,
  { run, importId, ...place }: NamedRun,
): Promise<StorableRun> {
  const { organizationId, experimentId, fingerprint, ordinal, triggeredBy, createdAt } = request
  const origin = {
    organizationId,
    experimentId,
    fingerprint,
    ordinal,
    triggeredBy,
    requestId: request.id,
    batchTime: createdAt,
  }
  return {
    run: toEndedRun(origin, place, run),
    tests: run.tests,
    segments: await storeTranscript(context, place.id, run.transcript),
    changes: await storeChanges(context, place.id, run.changes),
    trace: run.trace,
    source: { importId, tool: run.tool, toolVersion: run.toolVersion, file: run.file },
  }
}

/** Our own errors give the reason. A driver's message quotes its statement and values, so it is only logged. */
function toLeftOut(what: LeftOut['what'], file: string, error: unknown): LeftOut {
  if (error instanceof Failure) return { what, file, reason: error.message }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  logTrouble(`The import skipped ${file}`, cause)
  return { what, file, reason: 'could not be stored; see the log for the reason' }
}
