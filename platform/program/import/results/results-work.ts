import { formatTitles } from '#contract/import-formats.ts'
import type { ImportTable } from '#contract/imports.ts'
import type { OpenJob } from '#platform/ground/content/content-job.ts'
import type { ExportedExperiment, ExportedVersions } from '#platform/program/import/reading/exported-experiment.ts'
import type { FoundRun } from '#platform/program/import/reading/found-run.ts'
import { describeTables } from '#platform/program/import/tables/describe-tables.ts'
import { formats } from './formats.ts'
import { type ReadingStart, type ReadingStep, type ReadResultsAnswer } from './read-results-apart.ts'
import { readResults } from './read-results.ts'
import type { LeftOut } from '#platform/program/import/reading/left-out.ts'
import { runIdOf } from './run-id.ts'
import { chunkRuns, type RunChunk, surveyRuns, type Titled } from './survey-runs.ts'

/** What another process gets has no functions. */
const toVersions = ({ experimentId, name, versions }: ExportedExperiment): ExportedVersions => ({
  experimentId,
  name,
  versions,
})

const nothing: ReadResultsAnswer = { survey: null, chunk: null, bytes: null }

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
  let exported: ExportedExperiment | null = null
  const read = async function* (stagingFolder: string, isSurvey = false): AsyncGenerator<Titled> {
    leftOut.length = 0
    const found = readResults(
      { paths, shownFrom, stagingFolder, formats: chosen, options },
      (left) => leftOut.push(left),
      {
        async sorted(sorted) {
          if (isSurvey) tables.push(...(await describeTables(sorted, options.columns)))
        },
        exported(experiment) {
          if (isSurvey) exported = experiment
        },
      },
    )
    for await (const { format, run } of found) yield { title: formatTitles[format.id], run }
  }
  // An export that comes back into its own experiment has runs that are there under their own ids.
  const isStored = ({ key, archived }: FoundRun) =>
    stored.has(runIdOf(scope, key)) || (archived !== undefined && stored.has(archived.id))
  let chunks: AsyncGenerator<RunChunk> | null = null
  return async (step) => {
    if (step === 'survey') {
      const found = read(stagingFolders.survey, true)
      return {
        ...nothing,
        survey: await surveyRuns(found, leftOut, { tables, exported: () => exported && toVersions(exported) }),
      }
    }
    if (step !== 'next') return { ...nothing, bytes: (await exported?.readPackageFile(step.packageFile)) ?? null }
    chunks ??= chunkRuns(read(stagingFolders.runs), isStored)
    const { value, done } = await chunks.next()
    return { ...nothing, chunk: done ? null : value }
  }
}
