import type { OpenJob } from '#platform/ground/content/content-job.ts'
import type { FoundRun } from '#platform/program/import/reading/found-run.ts'
import { formats } from './formats.ts'
import { type ReadingStart, type ReadingStep, type ReadResultsAnswer } from './read-results-apart.ts'
import { readResults } from './read-results.ts'
import type { LeftOut } from '#platform/program/import/reading/left-out.ts'
import { runIdOf } from './run-id.ts'
import { chunkRuns, type RunChunk, surveyRuns, type Titled } from './survey-runs.ts'

/** Reads results, in a content process. */
export const open: OpenJob<ReadingStart, ReadingStep, ReadResultsAnswer> = ({
  paths,
  stagingFolders,
  format,
  options,
  scope,
  stored,
}) => {
  const chosen = format === null ? formats : formats.filter(({ id }) => id === format)
  const leftOut: LeftOut[] = []
  const read = async function* (stagingFolder: string): AsyncGenerator<Titled> {
    leftOut.length = 0
    const found = readResults({ paths, stagingFolder, formats: chosen, options }, (left) => leftOut.push(left))
    for await (const { format, run } of found) yield { title: format.title, run }
  }
  const isStored = ({ key }: FoundRun) => stored.has(runIdOf(scope, key))
  let chunks: AsyncGenerator<RunChunk> | null = null
  return async (step) => {
    if (step === 'survey') return { survey: await surveyRuns(read(stagingFolders.survey), leftOut), chunk: null }
    chunks ??= chunkRuns(read(stagingFolders.runs), isStored)
    const { value, done } = await chunks.next()
    return { survey: null, chunk: done ? null : value }
  }
}
