import type { Turn } from '#contract/runs.ts'
import { type Variant, variantsOf } from '#contract/variants.ts'
import type { Definition } from '#contract/definition.ts'
import { clockNow } from '#platform/database/clock.ts'
import type { Database } from '#platform/database/open-database.ts'
import type { Context } from '#platform/context.ts'
import { recordTests, type TestCapture } from '#platform/tests/record-tests.ts'
import { insertSegments, type Segment, segmentKey } from '#platform/transcripts/segments.ts'
import type { RunDirectory } from './find-run-directories.ts'
import { stableUuid } from './stable-id.ts'
import { findLastRepeats, findStoredRuns, insertEndedRuns, keepRequest } from './store.ts'
import { toAxisId } from './submission.ts'
import { type RunOrigin, timeOf, toRun, type TrialRun } from './to-run.ts'
import { type KnownTests, testsOf } from './trial-tests.ts'
import { readTestOutput, readTrialTranscript } from './trial-transcript.ts'

/** The version an import's runs point at. */
export type ImportTarget = { experimentId: string; fingerprint: string; ordinal: number; definition: Definition }

type ImportedTrial = { run: TrialRun; transcript: Segment | null; turnCount: number; testOutput: string }

const attempt = 1

/**
 * Stores one run directory as one run request, all of it or nothing; gives how many runs were new. Ids come from the
 * directory's own, so a second import finds everything there.
 */
export async function importRunDirectory(
  context: Context,
  target: ImportTarget,
  directory: RunDirectory,
  known: KnownTests,
): Promise<{ imported: number; alreadyThere: number }> {
  const { db, organization, caller } = context
  const scope = [organization.id, target.experimentId, directory.id]
  const requestId = stableUuid('run-request', ...scope)
  const trials = nameTrials(directory, scope)
  const stored = await findStoredRuns(
    db,
    trials.map((trial) => trial.id),
  )
  const fresh = trials.filter((trial) => !stored.has(trial.id))
  if (fresh.length === 0) return { imported: 0, alreadyThere: trials.length }
  const repeats = await findLastRepeats(db, organization.id, target.experimentId)
  const variants = variantsByTask(target.definition, directory)
  const imported: ImportedTrial[] = []
  for (const { id, found } of fresh) {
    const variant = variants.get(toAxisId(found.trial.task_id))
    if (!variant) throw new Error(`no variant for task ${found.trial.task_id}`)
    const repeat = (repeats.get(variant.variantId) ?? 0) + 1
    repeats.set(variant.variantId, repeat)
    const run = { id, variant, repeat, trial: found.trial, tests: testsOf(found.trial, known) }
    imported.push(await readLogs(context, run, found.logs))
  }
  const directoryTime = timeOf(directory) ?? (await clockNow(db))
  const { definition: _, ...version } = target
  const shared = { organizationId: organization.id, ...version, triggeredBy: caller.userId }
  await db.transaction(async (tx) => {
    const trialsOfVariant = Map.groupBy(imported, ({ run }) => run.variant.variantId)
    const repeat = Math.max(...[...trialsOfVariant.values()].map((group) => group.length))
    const request = {
      ...shared,
      id: requestId,
      variantIds: [...trialsOfVariant.keys()],
      repeat,
      flags: [],
      mock: false,
    }
    await keepRequest(tx, { ...request, createdAt: directoryTime })
    await storeRuns(tx, { ...shared, requestId, directoryTime }, imported)
  })
  return { imported: imported.length, alreadyThere: stored.size }
}

/** Each trial with its run's id; a name that stands twice is told apart by its place. */
function nameTrials({ trials }: RunDirectory, scope: readonly string[]) {
  const times = new Map<string, number>()
  return trials.map((found) => {
    const name = found.trial.trial_name
    const time = (times.get(name) ?? 0) + 1
    times.set(name, time)
    return { id: stableUuid('run', ...scope, name, String(time)), found }
  })
}

const variantsByTask = (definition: Definition, { submission }: RunDirectory): Map<string, Variant> =>
  new Map(
    variantsOf(definition)
      .filter(({ agent, model }) => agent === submission.agent && model === submission.model)
      .map((variant) => [variant.prompt ?? '', variant]),
  )

/** Blobs go first: a row never names one that is not there, and the same import writes the same key again. */
async function readLogs({ blobs }: Context, run: TrialRun, logs: string | null): Promise<ImportedTrial> {
  const turns = logs ? await readTrialTranscript(logs, run.trial.instruction ?? null) : null
  const testOutput = logs ? await readTestOutput(logs) : ''
  const transcript = turns && turns.length > 0 ? toSegment(run.id, turns) : null
  if (transcript) await blobs.put(transcript.segment.blobKey, transcript.bytes)
  return { run, transcript: transcript?.segment ?? null, turnCount: turns?.length ?? 0, testOutput }
}

function toSegment(runId: string, turns: readonly Turn[]) {
  const bytes = Buffer.from(turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''))
  const blobKey = segmentKey({ runId, attempt }, 1, turns.length)
  const counts = { turnCount: turns.length, reasoningTurnCount: 0, bytes: bytes.byteLength }
  return { bytes, segment: { firstSeq: 1, lastSeq: turns.length, blobKey, ...counts } satisfies Segment }
}

async function storeRuns(tx: Database, origin: RunOrigin, imported: readonly ImportedTrial[]) {
  const rows = imported.map(({ run, transcript, turnCount }) => ({
    ...toRun(origin, run),
    transcriptPublished: transcript !== null,
    turnCount,
  }))
  await insertEndedRuns(tx, rows)
  for (const { run, transcript, testOutput } of imported) {
    await recordTests(tx, run.id, toCaptures(run, testOutput))
    if (transcript) await insertSegments(tx, { runId: run.id, attempt }, [transcript])
  }
}

/** All tests of a trial shared one terminal: each shows its end. */
const longestTail = 16 * 1024

const toCaptures = ({ tests }: TrialRun, testOutput: string): TestCapture[] =>
  tests.map(({ name, outcome, message }) => ({
    name,
    outcome,
    exitCode: null,
    durationMs: null,
    stdoutTail: testOutput.slice(-longestTail),
    stderrTail: message,
  }))
