import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { formatTitles } from '#contract/import-formats.ts'
import type { LeftOut } from '#platform/program/import-formats/reading/left-out.ts'
import type { ReadingOptions } from '#platform/program/import-formats/reading/result-format.ts'
import { formats } from '#platform/program/imports/results/formats.ts'
import { readResults } from '#platform/program/imports/results/read-results.ts'
import type { ResultRun } from '#platform/program/imports/results/result-run.ts'
import { toResultRun } from '#platform/program/imports/results/to-result-run.ts'

/** Reads everything in this process, for tests of formats. */
export async function readSome(
  paths: readonly string[],
  options: Omit<ReadingOptions, 'models'> & { format?: string } = {},
) {
  const stagingFolder = await mkdtemp(join(tmpdir(), 'assay-read-some-'))
  const leftOut: LeftOut[] = []
  const runs: (ResultRun & { title: string })[] = []
  const chosen = formats.filter(({ id }) => options.format === undefined || options.format === id)
  const inputs = { paths, shownFrom: null, stagingFolder, formats: chosen, options: { ...options, models: [] } }
  for await (const { format, run } of readResults(inputs, (left) => leftOut.push(left)))
    runs.push({ ...(await toResultRun(run, formatTitles[format.id])), title: formatTitles[format.id] })
  await rm(stagingFolder, { recursive: true })
  return { runs, leftOut }
}

/** The turns of a transcript as they are stored. */
export const storedTurns = (transcript: ResultRun['transcript'] | undefined) =>
  Buffer.concat((transcript?.turns ?? []).map(({ lines }) => lines))
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
