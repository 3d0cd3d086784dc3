import { z } from 'zod'

import { ImportTable } from '#contract/imports.ts'
import { counted } from '#contract/wire/counted.ts'
import { limits as contractLimits } from '#contract/wire/limit.ts'
import { ExportedVersions } from '#platform/program/import-formats/reading/exported-experiment.ts'
import { runsPerTransaction } from '#platform/ground/database/runs-per-transaction.ts'
import type { FoundRun } from '#platform/program/import-formats/reading/found-run.ts'
import { LeftOut } from '#platform/program/import-formats/reading/left-out.ts'
import type { ResultRun } from './result-run.ts'
import { toResultRun } from './to-result-run.ts'

const count = z.int().min(0)

const Cell = z.object({
  agent: z.string(),
  model: z.string(),
  prompt: z.string(),
  variantId: z.string().nullable(),
  runs: count,
  solved: count,
})

export const Batch = z.object({
  id: z.string(),
  file: z.string(),
  createdAt: z.string().nullable(),
  /** Of runs of Assay: their version, and whether they were mock runs. */
  archived: z.object({ fingerprint: z.string(), mock: z.boolean() }).nullable(),
  /** How many runs it has of which agent, model and prompt. */
  cells: z.array(Cell),
})
export type Batch = z.infer<typeof Batch>

/** Different names, and the first of them in alphabetical order. */
const Names = z.object({ count, names: z.array(z.string()) })

/** What an import will make, in as much as people see before it. */
export const SurveySummary = z.object({
  formats: z.array(z.object({ title: z.string(), runs: count })),
  runs: count,
  solved: count,
  agents: Names,
  models: Names,
  prompts: Names,
  /** What its runs have together: tests, scores, and how many of them a verdict or a transcript. */
  totals: z.object({ judged: count, tests: count, scores: count, transcripts: count }),
  /** Why no experiment can have these runs; null if one can. */
  problem: z.string().nullable(),
  tables: z.array(ImportTable),
  /** If the runs are those of an exported experiment. */
  exported: ExportedVersions.nullable(),
  leftOut: z.array(LeftOut),
})
export type SurveySummary = z.infer<typeof SurveySummary>

/** The same with everything that its runs need, which grows with them. */
export type Survey = Pick<SurveySummary, 'formats' | 'totals' | 'tables' | 'exported' | 'leftOut'> & {
  batches: Batch[]
  prompts: { id: string; text: string }[]
}

const maxNames = 30

/** How many different names, and the first ones. */
export function toNames(all: Iterable<string>) {
  const names = [...new Set(all)].sort((a, b) => (a < b ? -1 : 1))
  return { count: names.length, names: names.slice(0, maxNames) }
}

export function summarize({ batches, prompts, ...rest }: Survey): SurveySummary {
  const cells = batches.flatMap((batch) => batch.cells)
  const sum = (of: 'runs' | 'solved') => cells.reduce((all, cell) => all + cell[of], 0)
  return {
    ...rest,
    problem: rest.exported ? null : whyTooMany(cells, prompts.length),
    runs: sum('runs'),
    solved: sum('solved'),
    agents: toNames(cells.map(({ agent }) => agent)),
    models: toNames(cells.map(({ model }) => model)),
    prompts: toNames(prompts.map(({ id }) => id)),
  }
}

/** The definition of an imported experiment has every pair of agent and model on every prompt. */
function whyTooMany(cells: readonly z.infer<typeof Cell>[], prompts: number): string | null {
  const pairs = new Set(cells.map(({ agent, model }) => JSON.stringify([agent, model]))).size
  const most = limits.variants
  if (pairs * prompts <= most) return null
  return `${counted(pairs, 'pair')} of agent and model on ${counted(prompts, 'prompt')} are ${(pairs * prompts).toLocaleString('en')} variants. An experiment can have ${most.toLocaleString('en')}. Import the files in parts. In a table, check which column is the prompt: without one, each row is a prompt of its own`
}

export type Titled = { title: string; run: FoundRun }

/** Some runs of one batch, and how many runs before the next chunk an earlier import has stored. */
export type RunChunk = { runs: readonly ResultRun[]; stored: number }

const limits = { runs: 200_000, leftOut: 1000, variants: contractLimits.runsPerRequest }

const counts = ({ outcome }: ResultRun['tests'][number]) => outcome !== 'skipped'

const isSolved = ({ tests }: ResultRun) =>
  tests.some(counts) && tests.filter(counts).every(({ outcome }) => outcome === 'passed')

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
    Pick<Batch, 'archived'> & {
      batch: ResultRun['batch']
      cells: Map<string, Batch['cells'][number]>
    }
  >()
  const prompts = new Map<string, string>()
  const totals = { judged: 0, tests: 0, scores: 0, transcripts: 0 }
  let total = 0
  for await (const { title, run } of found) {
    total += 1
    if (total > limits.runs)
      throw new Error(`It has more than ${limits.runs.toLocaleString('en')} runs. Import it in parts`)
    const { batch, agent, model, prompt, promptText, ...read } = await toResultRun(
      { ...run, transcript: null, testOutput: null, changes: null, trace: null },
      title,
    )
    if (read.tests.some(counts)) totals.judged += 1
    totals.tests += read.tests.length
    totals.scores += read.scores.length
    if (run.transcript) totals.transcripts += 1
    formats.set(title, (formats.get(title) ?? 0) + 1)
    const { archived } = read
    const known = batches.get(batch.id) ?? {
      batch,
      archived: archived && { fingerprint: archived.fingerprint, mock: archived.values.mock },
      cells: new Map<string, Batch['cells'][number]>(),
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

/** Checking a test takes the thread that stores it as long as moving this many bytes. */
const bytesOfTest = 1000

const sizeOf = (parts: readonly Uint8Array[] = []) => parts.reduce((sum, { byteLength }) => sum + byteLength, 0)

const bytesOf = ({ transcript, changes, tests, trace }: ResultRun) =>
  tests.reduce((sum, { stdoutTail, stderrTail }) => sum + bytesOfTest + stdoutTail.length + stderrTail.length, 0) +
  (transcript?.turns ?? []).reduce(
    (sum, { lines, images }) => sum + lines.byteLength + images.reduce((all, { bytes }) => all + bytes.byteLength, 0),
    sizeOf(changes?.packs) + sizeOf(trace?.parts),
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
