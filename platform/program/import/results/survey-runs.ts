import { z } from 'zod'

import { ImportTable } from '#contract/imports.ts'
import { ExportedVersions } from '#platform/program/import/reading/exported-experiment.ts'
import { runsPerTransaction } from '#platform/ground/database/runs-per-transaction.ts'
import type { FoundRun } from '#platform/program/import/reading/found-run.ts'
import { LeftOut } from '#platform/program/import/reading/left-out.ts'
import type { ResultRun } from './result-run.ts'
import { toResultRun } from './to-result-run.ts'

const count = z.int().min(0)

/** What an import will make: for each batch how many runs of which agent, model and prompt. */
export const Survey = z.object({
  formats: z.array(z.object({ title: z.string(), runs: count })),
  batches: z.array(
    z.object({
      id: z.string(),
      file: z.string(),
      createdAt: z.string().nullable(),
      /** Of runs of Assay: their version, and whether they were mock runs. */
      archived: z.object({ fingerprint: z.string(), mock: z.boolean() }).nullable(),
      cells: z.array(
        z.object({
          agent: z.string(),
          model: z.string(),
          prompt: z.string(),
          variantId: z.string().nullable(),
          runs: count,
          solved: count,
        }),
      ),
    }),
  ),
  prompts: z.array(z.object({ id: z.string(), text: z.string() })),
  /** What its runs have together: tests, scores, and how many of them a transcript. */
  totals: z.object({ tests: count, scores: count, transcripts: count }),
  tables: z.array(ImportTable),
  /** If the runs are those of an exported experiment. */
  exported: ExportedVersions.nullable(),
  leftOut: z.array(LeftOut),
})
export type Survey = z.infer<typeof Survey>

export type Titled = { title: string; run: FoundRun }

/** Results that are read twice: once for what they will make, and once for the runs with their transcripts. */
export type ResultSource = {
  survey: () => Promise<Survey>
  /** A file of the package of an exported experiment; null if it is not there. */
  packageFile: (sha256: string) => Promise<Uint8Array | null>
  next: () => Promise<RunChunk | null>
}

/** Some runs of one batch, and how many runs before the next chunk an earlier import has stored. */
export type RunChunk = { runs: readonly ResultRun[]; stored: number }

/** Results of our own, which need no process. */
export function sourceOf(title: string, read: () => AsyncIterable<FoundRun>): ResultSource {
  const titled = async function* (): AsyncGenerator<Titled> {
    for await (const run of read()) yield { title, run }
  }
  const chunks = chunkRuns(titled())
  return {
    survey: () => surveyRuns(titled(), []),
    packageFile: async () => null,
    async next() {
      const { value, done } = await chunks.next()
      return done ? null : value
    },
  }
}

const limits = { runs: 200_000, leftOut: 1000 }

const isSolved = ({ tests }: ResultRun) =>
  tests.some(({ outcome }) => outcome !== 'skipped') &&
  tests.every(({ outcome }) => outcome === 'passed' || outcome === 'skipped')

/** Reads everything once, without transcripts. Throws an Error with a reason if there are too many runs. */
export async function surveyRuns(
  found: AsyncIterable<Titled>,
  leftOut: readonly LeftOut[],
  {
    tables = [],
    exported = () => null,
  }: { tables?: readonly ImportTable[]; exported?: () => ExportedVersions | null } = {},
): Promise<Survey> {
  const formats = new Map<string, number>()
  const batches = new Map<
    string,
    Pick<Survey['batches'][number], 'archived'> & {
      batch: ResultRun['batch']
      cells: Map<string, Survey['batches'][number]['cells'][number]>
    }
  >()
  const prompts = new Map<string, string>()
  const totals = { tests: 0, scores: 0, transcripts: 0 }
  let total = 0
  for await (const { title, run } of found) {
    total += 1
    if (total > limits.runs)
      throw new Error(`It has more than ${limits.runs.toLocaleString('en')} runs. Import it in parts`)
    const { batch, agent, model, prompt, promptText, ...read } = await toResultRun(
      { ...run, transcript: null, testOutput: null, changes: null },
      title,
    )
    totals.tests += read.tests.length
    totals.scores += read.scores.length
    if (run.transcript) totals.transcripts += 1
    formats.set(title, (formats.get(title) ?? 0) + 1)
    const { archived } = read
    const known = batches.get(batch.id) ?? {
      batch,
      archived: archived && { fingerprint: archived.fingerprint, mock: archived.values.mock },
      cells: new Map<string, Survey['batches'][number]['cells'][number]>(),
    }
    batches.set(batch.id, known)
    known.batch.createdAt ??= batch.createdAt ?? read.startedAt
    const variantId = archived?.values.variantId ?? null
    const key = [agent, model, prompt, variantId].join('\0')
    const cell = known.cells.get(key) ?? { agent, model, prompt, variantId, runs: 0, solved: 0 }
    known.cells.set(key, cell)
    cell.runs += 1
    if (isSolved({ batch, agent, model, prompt, promptText, ...read })) cell.solved += 1
    const text = prompts.get(prompt)
    // The text of a task that only some of its runs have.
    if (text === undefined || (text === run.prompt && promptText !== text)) prompts.set(prompt, promptText)
  }
  return {
    formats: [...formats].map(([title, runs]) => ({ title, runs })),
    batches: [...batches.values()].map(({ batch, archived, cells }) => ({
      ...batch,
      archived,
      cells: [...cells.values()],
    })),
    prompts: [...prompts].map(([id, text]) => ({ id, text })),
    totals,
    tables: [...tables],
    exported: exported(),
    leftOut: cutLeftOut(leftOut),
  }
}

function cutLeftOut(leftOut: readonly LeftOut[]): LeftOut[] {
  const rest = leftOut.slice(limits.leftOut)
  if (rest.length === 0) return [...leftOut]
  const count = rest.reduce((sum, each) => sum + (each.count ?? 1), 0)
  return [
    ...leftOut.slice(0, limits.leftOut),
    { what: 'file', file: 'and more', reason: 'not listed one by one', count },
  ]
}

const bytesTogether = 8 * 1024 * 1024

const bytesOf = ({ transcript, changes }: ResultRun) =>
  (transcript?.turns ?? []).reduce(
    (sum, { lines, images }) => sum + lines.byteLength + images.reduce((all, { bytes }) => all + bytes.byteLength, 0),
    (changes?.packs ?? []).reduce((sum, pack) => sum + pack.byteLength, 0),
  )

/**
 * The runs with their transcripts, some at a time, and never of two batches together. Stored ones are only counted: reading their
 * transcripts again is most of the work.
 */
export async function* chunkRuns(
  found: AsyncIterable<Titled>,
  isStored: (run: FoundRun) => boolean = () => false,
): AsyncGenerator<RunChunk> {
  let stored = 0
  let chunk: ResultRun[] = []
  let bytes = 0
  const take = () => {
    const taken = { runs: chunk, stored }
    stored = 0
    chunk = []
    bytes = 0
    return taken
  }
  for await (const { title, run } of found) {
    if (isStored(run)) {
      stored += 1
      continue
    }
    const read = await toResultRun(run, title)
    if (chunk.length > 0 && chunk[0]?.batch.id !== read.batch.id) yield take()
    chunk.push(read)
    bytes += bytesOf(read)
    if (chunk.length >= runsPerTransaction || bytes >= bytesTogether) yield take()
  }
  if (chunk.length + stored > 0) yield take()
}
