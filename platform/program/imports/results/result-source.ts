import type { Definition } from '#contract/definition.ts'
import type { FoundRun } from '#platform/program/import-formats/reading/found-run.ts'
import {
  type Batch,
  chunkRuns,
  type RunChunk,
  summarize,
  type Survey,
  type SurveySummary,
  surveyRuns,
  type Titled,
} from './survey-runs.ts'
import { toDefinition, toYaml } from './to-definition.ts'

/** The experiment that the runs get, and its latest version before the import. */
export type WantedDefinition = {
  experimentId: string
  about: { name: string; description?: string } | undefined
  previous: Definition | null
}

/** Results that are read twice: once for what they will make, and once for the runs with their transcripts. */
export type ResultSource = {
  /** Before all others. */
  survey: () => Promise<SurveySummary>
  define: (wanted: WantedDefinition) => Promise<string>
  batches: () => Promise<Batch[]>
  /** A file of the package of an exported experiment; null if it is not there. */
  packageFile: (sha256: string) => Promise<Uint8Array | null>
  next: () => Promise<RunChunk | null>
}

/** The YAML of the experiment of surveyed runs. */
export const defineSurveyed = (survey: Survey, { experimentId, about, previous }: WantedDefinition) =>
  toYaml({ ...toDefinition(experimentId, survey, previous), ...about })

/** Results of our own, which need no process. */
export function sourceOf(title: string, read: () => AsyncIterable<FoundRun>): ResultSource {
  const titled = async function* (): AsyncGenerator<Titled> {
    for await (const run of read()) yield { title, run }
  }
  const chunks = chunkRuns(titled())
  let surveyed: Promise<Survey> | undefined
  const survey = () => (surveyed ??= surveyRuns(titled(), []))
  return {
    survey: async () => summarize(await survey()),
    define: async (wanted) => defineSurveyed(await survey(), wanted),
    batches: async () => (await survey()).batches,
    packageFile: async () => null,
    async next() {
      const { value, done } = await chunks.next()
      return done ? null : value
    },
  }
}
