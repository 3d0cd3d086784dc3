import { z } from 'zod'

import { Span } from '#contract/spans.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import type { runRequests } from '#platform/ground/database/tables/runs.ts'
import { reclaimBlobs } from '#platform/results/retention/forget-removals.ts'
import { manifestKey, packKey } from '#platform/queue/changes/pack-files.ts'
import { recordChanges } from '#platform/queue/changes/record-changes.ts'
import { type EndedRun, recordEndedRuns, recordRequestOnce } from '#platform/queue/run-queue/record-ended-runs.ts'
import { recordTests, type TestCapture } from '#platform/queue/run-queue/record-tests.ts'
import { recordEndedTrace } from '#platform/queue/spans/record-spans.ts'
import { recordSegments } from '#platform/queue/transcripts/record-segments.ts'
import { type Segment, segmentKey } from '#platform/queue/transcripts/segments.ts'
import { turnImageKey } from '#platform/queue/transcripts/turn-images.ts'
import type { StoredTrace, StoredTranscript } from '#platform/program/import-formats/reading/stored-parts.ts'
import type { ResultRun } from './result-run.ts'
import { insertSources, type RunSource } from './store.ts'

/** A run with everything that is stored with it. */
export type StorableRun = {
  run: EndedRun & { id: string }
  tests: readonly TestCapture[]
  segments: readonly Segment[]
  /** The number of packs with its changes; null without changes. */
  changes: { packs: number } | null
  trace: StoredTrace | null
  source: Omit<RunSource, 'runId'>
}

/** Does more in the transaction that stores runs. */
export type StoreHook = (tx: Database, runIds: readonly string[]) => Promise<void>

type NewRequest = typeof runRequests.$inferInsert

const importedAttempt = 1

/** Writes the blobs of a transcript, before rows name them. A second import writes the same keys again. */
export async function storeTranscript(
  { db, blobs }: Pick<Context, 'db' | 'blobs'>,
  runId: string,
  transcript: StoredTranscript | null,
): Promise<Segment[]> {
  const segments: Segment[] = []
  const run = { runId, attempt: importedAttempt }
  for (const { lines, images, turnCount, reasoningTurnCount } of transcript?.turns ?? []) {
    const firstSeq = (segments.at(-1)?.lastSeq ?? 0) + 1
    const lastSeq = firstSeq + turnCount - 1
    const blobKey = segmentKey(run, firstSeq, lastSeq)
    const imageKeys = images.map(({ image }) => turnImageKey(run, image.id))
    // Retention may have removed an earlier life of the run, whose blobs have the same keys.
    await reclaimBlobs(db, [blobKey, ...imageKeys])
    for (const [index, { bytes }] of images.entries()) await blobs.put(imageKeys[index] ?? '', bytes)
    await blobs.put(blobKey, lines)
    segments.push({ firstSeq, lastSeq, turnCount, reasoningTurnCount, blobKey, imageKeys, bytes: lines.byteLength })
  }
  return segments
}

/** Writes the blobs of changes, before rows name them. */
export async function storeChanges(
  { db, blobs }: Pick<Context, 'db' | 'blobs'>,
  runId: string,
  changes: ResultRun['changes'],
): Promise<StorableRun['changes']> {
  if (!changes) return null
  const run = { runId, attempt: importedAttempt }
  const named = [
    [manifestKey(run), changes.manifest] as const,
    ...changes.packs.map((bytes, pack) => [packKey(run, pack), bytes] as const),
  ]
  await reclaimBlobs(
    db,
    named.map(([key]) => key),
  )
  for (const [key, bytes] of named) await blobs.put(key, bytes)
  return { packs: changes.packs.length }
}

/**
 * Stores runs with their request: in one transaction if possible, else one by one, so that a run which the database
 * refuses affects only itself. Returns the errors by run id.
 */
export async function storeRuns(
  db: Database,
  request: NewRequest,
  runs: readonly StorableRun[],
  onStore: StoreHook = async () => {},
): Promise<Map<string, unknown>> {
  const [first] = runs
  if (!first) return new Map()
  try {
    await db.transaction(async (tx) => {
      await storeTogether(tx, request, runs)
      await onStore(
        tx,
        runs.map(({ run }) => run.id),
      )
    })
    return new Map()
  } catch (error) {
    if (runs.length === 1) return new Map([[first.run.id, error]])
    const failed = new Map<string, unknown>()
    for (const run of runs)
      for (const [id, reason] of await storeRuns(db, request, [run], onStore)) failed.set(id, reason)
    return failed
  }
}

async function storeTogether(tx: Database, request: NewRequest, stored: readonly StorableRun[]) {
  await recordRequestOnce(tx, request)
  await recordEndedRuns(
    tx,
    stored.map(({ run }) => run),
  )
  await recordTests(
    tx,
    stored.map(({ run, tests }) => ({ runId: run.id, tests })),
  )
  await recordSegments(
    tx,
    stored.map(({ run, segments }) => ({ run: { runId: run.id, attempt: importedAttempt }, segments })),
  )
  await insertSources(
    tx,
    stored.map(({ run, source }) => ({ ...source, runId: run.id })),
  )
  for (const { run, changes, trace } of stored) {
    const attempt = { runId: run.id, attempt: importedAttempt }
    if (changes) await recordChanges(tx, attempt, changes)
    if (trace) await recordEndedTrace(tx, attempt, { parts: spansOf(trace), leftOut: trace.leftOut })
  }
}

const StoredSpans = z.array(Span.omit({ attempt: true }))

/** Parses a part when it is stored, so that a long trace does not hold up the thread. */
function* spansOf({ parts }: StoredTrace) {
  for (const part of parts) yield StoredSpans.parse(JSON.parse(Buffer.from(part).toString('utf8')))
}
