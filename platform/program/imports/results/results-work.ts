import { formatTitles } from '#contract/import-formats.ts'
import type { ImportTable } from '#contract/imports.ts'
import type { OpenJob } from '#platform/ground/content/content-job.ts'
import type {
  ExportedExperiment,
  ExportedVersions,
} from '#platform/program/import-formats/reading/exported-experiment.ts'
import type { FoundRun } from '#platform/program/import-formats/reading/found-run.ts'
import { describeTables } from '#platform/program/import-formats/tables/describe-tables.ts'
import { formats } from './formats.ts'
import { cellsTogether, type ReadingStart, type ReadingStep, type ReadResultsAnswer } from './read-results-apart.ts'
import { readResults } from './read-results.ts'
import type { LeftOut } from '#platform/program/import-formats/reading/left-out.ts'
import { runIdOf } from './run-id.ts'
import { defineSurveyed } from './result-source.ts'
import { type Batch, chunkRuns, type RunChunk, summarize, type Survey, surveyRuns, type Titled } from './survey-runs.ts'

/** What another process gets has no functions. */
const toVersions = ({ experimentId, name, versions }: ExportedExperiment): ExportedVersions => ({
  experimentId,
  name,
  versions,
})

const nothing: ReadResultsAnswer = { survey: null, yaml: null, batches: null, chunk: null, bytes: null }

/** Some batches, with as many cells together as one answer has. A batch can continue in the next answer. */
function cellsFrom({ batches }: Survey, from: number): Batch[] {
  const found: Batch[] = []
  let skipped = 0
  let wanted = cellsTogether
  for (const batch of batches) {
    const cells = batch.cells.slice(Math.max(0, from - skipped), Math.max(0, from - skipped) + wanted)
    skipped += batch.cells.length
    wanted -= cells.length
    if (cells.length > 0) found.push({ ...batch, cells })
    if (wanted === 0) break
  }
  return found
}

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
  let surveyed: Survey | null = null
  const read = async function* (stagingFolder: string, isSurvey = false): AsyncGenerator<Titled> {
    leftOut.length = 0
    const found = readResults(
      { paths, shownFrom, stagingFolder, formats: chosen, options },
      (left) => leftOut.push(left),
      {
        async tables(found) {
          if (isSurvey) tables.push(...(await describeTables(found, options.columns)))
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
      surveyed = await surveyRuns(found, leftOut, { tables, exported: () => exported && toVersions(exported) })
      return { ...nothing, survey: summarize(surveyed) }
    }
    if (step !== 'next') {
      if ('packageFile' in step)
        return { ...nothing, bytes: (await exported?.readPackageFile(step.packageFile)) ?? null }
      if (!surveyed) throw new Error('These results were not surveyed')
      return 'define' in step
        ? { ...nothing, yaml: defineSurveyed(surveyed, step.define) }
        : { ...nothing, batches: cellsFrom(surveyed, step.cellsFrom) }
    }
    chunks ??= chunkRuns(read(stagingFolders.runs), isStored)
    const { value, done } = await chunks.next()
    return { ...nothing, chunk: done ? null : value }
  }
}
