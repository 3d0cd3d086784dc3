import { formatTitles } from '#contract/import-formats.ts'
import type { ImportTable } from '#contract/imports.ts'
import type { OpenJob } from '#platform/ground/content/content-job.ts'
import type { FoundRun } from '#platform/program/import/reading/found-run.ts'
import { describeTables } from '#platform/program/import/tables/describe-tables.ts'
import { formats } from './formats.ts'
import { type ReadingStart, type ReadingStep, type ReadResultsAnswer } from './read-results-apart.ts'
import { readResults } from './read-results.ts'
import type { LeftOut } from '#platform/program/import/reading/left-out.ts'
import { runIdOf } from './run-id.ts'
import { chunkRuns, type RunChunk, surveyRuns, type Titled } from './survey-runs.ts'

/** Reads results, in a content process. */
export const open: OpenJob<ReadingStart, ReadingStep, ReadResultsAnswer> = ({
  paths,
  shownFrom,
  stagingFolders,
  format,
  options,
  scope,
  stored,
}) => {
  const chosen = format === null ? formats : formats.filter(({ id }) => id === format)
  const leftOut: LeftOut[] = []
  const tables: ImportTable[] = []
  const read = async function* (stagingFolder: string, noteTables = false): AsyncGenerator<Titled> {
    leftOut.length = 0
    const found = readResults(
      { paths, shownFrom, stagingFolder, formats: chosen, options },
      (left) => leftOut.push(left),
      async (sorted) => {
        if (noteTables) tables.push(...(await describeTables(sorted, options.columns)))
      },
    )
    for await (const { format, run } of found) yield { title: formatTitles[format.id], run }
  }
  const isStored = ({ key }: FoundRun) => stored.has(runIdOf(scope, key))
  let chunks: AsyncGenerator<RunChunk> | null = null
  return async (step) => {
    if (step === 'survey')
      return { survey: await surveyRuns(read(stagingFolders.survey, true), leftOut, tables), chunk: null }
    chunks ??= chunkRuns(read(stagingFolders.runs), isStored)
    const { value, done } = await chunks.next()
    return { survey: null, chunk: done ? null : value }
  }
}
