import { z } from 'zod'

import type { ChangesPart } from '#platform/queue/changes/pack-files.ts'
import { Bytes, type ContentJob } from '#platform/ground/content/content-job.ts'
import { type ContentSession, openContent } from '#platform/ground/content/content-pool.ts'
import type { SecretValue } from '#platform/inputs/secrets/masking/masker.ts'

/** `copies` is a folder that the run cannot reach. */
export type SnapshotPlaces = { workspace: string; copies: string }

export type ComparisonStart = SnapshotPlaces & {
  /** Patterns of files that are listed even if they are unchanged. */
  artifacts: readonly string[]
  secrets: readonly SecretValue[]
}

const takeSnapshot: ContentJob<SnapshotPlaces, null, null> = {
  module: new URL('./snapshot-work.ts', import.meta.url),
  answer: z.null(),
  processorSeconds: 120,
}

const compareWorkspace: ContentJob<ComparisonStart, null, ChangesPart | null> = {
  module: new URL('./compare-work.ts', import.meta.url),
  answer: z.object({ pack: z.union([z.int().min(0), z.literal('manifest')]), bytes: Bytes }).nullable(),
  processorSeconds: 120,
}

/** Records the workspace before the agent. Throws a ContentStopped if that needs too much, unless `signal` aborted. */
export async function takeSnapshotApart(places: SnapshotPlaces, signal: AbortSignal) {
  await until(signal, openContent(takeSnapshot, places)).next()
}

/** Compares the workspace after the agent with the snapshot. Ends early if `signal` aborts. */
export const compareApart = (start: ComparisonStart, signal: AbortSignal): AsyncGenerator<ChangesPart> =>
  until(signal, openContent(compareWorkspace, start))

/** Yields the answers of a session up to one without content. */
async function* until<Answer>(signal: AbortSignal, { ask, close }: ContentSession<null, Answer | null>) {
  signal.addEventListener('abort', close, { once: true })
  try {
    if (signal.aborted) return
    for (let part = await ask(null); part !== null; part = await ask(null)) yield part
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', close)
    close()
  }
}
