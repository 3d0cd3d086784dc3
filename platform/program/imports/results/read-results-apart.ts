import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { z } from 'zod'

import { messageOf } from '#contract/wire/message-of.ts'
import { Bytes, type ContentJob, ContentStopped } from '#platform/ground/content/content-job.ts'
import { openContent } from '#platform/ground/content/content-pool.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import type { ReadingOptions } from '#platform/program/import-formats/reading/result-format.ts'
import { openStagingFolder } from '#platform/program/import-formats/reading/staging-folder.ts'
import { ResultRun } from './result-run.ts'
import type { Scope } from './run-id.ts'
import type { ResultSource, WantedDefinition } from './result-source.ts'
import { Batch, SurveySummary } from './survey-runs.ts'

export type ReadingStart = {
  paths: readonly string[]
  /** The folder below which names of files start, for people; null for their whole paths. */
  shownFrom: string | null
  /** Empty folders in which each reading unpacks archives. */
  stagingFolders: { survey: string; runs: string }
  /** The id of the only format to look for; null for any. */
  format: string | null
  scope: Scope
  /** The ids of runs that earlier imports stored. */
  stored: ReadonlySet<string>
  options: ReadingOptions
}

export type ReadingStep =
  | 'survey'
  | 'next'
  | { packageFile: string }
  | { define: WantedDefinition }
  | { cellsFrom: number }

const ReadResultsAnswer = z.object({
  survey: SurveySummary.nullable(),
  yaml: z.string().nullable(),
  batches: z.array(Batch).nullable(),
  chunk: z.object({ runs: z.array(ResultRun).readonly(), stored: z.int().min(0) }).nullable(),
  bytes: Bytes.nullable(),
})
export type ReadResultsAnswer = z.infer<typeof ReadResultsAnswer>

const readResults: ContentJob<ReadingStart, ReadingStep, ReadResultsAnswer> = {
  module: new URL('./results-work.ts', import.meta.url),
  answer: ReadResultsAnswer,
  /** 10,000 runs with transcripts take a minute. */
  processorSeconds: 900,
}

/** Checking so many takes the thread some milliseconds. */
export const cellsTogether = 1000

/** Reads results in a content process, which can be killed. A refusal says why. */
export async function withResultsApart<Result>(
  start: Omit<ReadingStart, 'stagingFolders'>,
  work: (source: ResultSource) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const { folder, remove } = await openStagingFolder()
  const stagingFolders = { survey: join(folder, 'survey'), runs: join(folder, 'runs') }
  for (const each of Object.values(stagingFolders)) await mkdir(each)
  const { ask, close } = openContent(readResults, { ...start, stagingFolders })
  signal?.addEventListener('abort', close, { once: true })
  const refuse = (error: unknown): never => {
    const why = messageOf(error)
    if (error instanceof ContentStopped) throw invalid(`These files cannot be read, because ${why}`)
    throw invalid(why)
  }
  try {
    return await work({
      async survey() {
        signal?.throwIfAborted()
        const { survey } = await ask('survey').catch(refuse)
        if (!survey) throw new Error('The survey of an import has no answer')
        // Files of packages are asked for after it.
        if (!survey.exported) await rm(stagingFolders.survey, { recursive: true })
        return survey
      },
      async define(wanted) {
        const { yaml } = await ask({ define: wanted }).catch(refuse)
        if (yaml === null) throw new Error('The definition of an import has no answer')
        return yaml
      },
      async batches() {
        const all = new Map<string, Batch>()
        for (let from = 0; ;) {
          signal?.throwIfAborted()
          const batches = (await ask({ cellsFrom: from }).catch(refuse)).batches ?? []
          for (const batch of batches) {
            const known = all.get(batch.id)
            if (known) known.cells.push(...batch.cells)
            else all.set(batch.id, batch)
            from += batch.cells.length
          }
          if (batches.length === 0) return [...all.values()]
        }
      },
      async packageFile(sha256) {
        signal?.throwIfAborted()
        return (await ask({ packageFile: sha256 }).catch(refuse)).bytes
      },
      async next() {
        signal?.throwIfAborted()
        return (await ask('next').catch(refuse)).chunk
      },
    })
  } finally {
    signal?.removeEventListener('abort', close)
    close()
    await remove()
  }
}
