import { z } from 'zod'

import { getChangedFile, listChanges } from '#contract/changes.ts'
import { charts, readChartReference } from '#contract/chart-kinds.ts'
import { ChartRun } from '#contract/chart-runs.ts'
import { getExperiment, listVersions } from '#contract/experiments.ts'
import { listFailureSignatures } from '#contract/failure-signatures.ts'
import { OutputMatchList } from '#contract/output-matches.ts'
import { QueryResult } from '#contract/queries.ts'
import { fingerprintOf } from '#contract/report-blocks/insight-blocks.ts'
import { Turn } from '#contract/transcripts.ts'

/** One answer that a view shows: the key of its query, when it was loaded, and its data. */
const PinnedResult = z.object({
  key: z.array(z.json()).min(2).max(10),
  /** In milliseconds, as the browser's clock counts. */
  at: z.number().min(0).max(8.64e15),
  data: z.unknown(),
})
export type PinnedResult = z.infer<typeof PinnedResult>

/** The most results of one figure. */
const maxResults = 50

const pages = <Page extends z.ZodType>(page: Page) =>
  z.object({ pages: z.array(page), pageParams: z.array(z.unknown()) })

const points = z.object({ version: z.string(), total: z.int(), runs: z.array(ChartRun), pendingRuns: z.int() })

const ChartQuery = z.object({ ref: z.string(), resultView: z.enum(['summary', 'points']) })

/** The shape of a chart's data by the input of its query. */
function chartShape([, , input]: readonly unknown[]) {
  const query = ChartQuery.safeParse(input).data
  const kind = query && readChartReference(query.ref)?.kind
  if (!kind) return undefined
  return query.resultView === 'points' ? points : charts[kind].views.summary.extend({ pendingRuns: z.int() })
}

type Kind = {
  /** By the key of the query; undefined if its result cannot be pinned. */
  shape: (key: readonly unknown[]) => z.ZodType | undefined
  /** Returns the data whose change counts as a change of the figure. Omitted if no change does. */
  compared?: (data: Record<string, unknown>) => unknown
}

const withoutPending = ({ pendingRuns: _pending, ...data }: Record<string, unknown>) => data

/** Without the runs that are left out, group by group: older figures have only their total. */
const comparedSummary = ({ groups, ...data }: Record<string, unknown>) => ({
  ...withoutPending(data),
  groups: Array.isArray(groups)
    ? groups.map(({ leftOut: _leftOut, ...group }: Record<string, unknown>) => group)
    : groups,
})

/** The results that can be pinned, by the first two parts of their key. Others belong to the reader, such as names. */
const kinds: Record<string, Kind> = {
  'insights.execute': { shape: chartShape, compared: comparedSummary },
  'failureSignatures.list': { shape: () => listFailureSignatures.response, compared: withoutPending },
  'outputMatches.list': {
    shape: () => pages(OutputMatchList),
    compared: ({ pages: all }) => Array.isArray(all) && (all[0] as unknown),
  },
  'queries.result': { shape: () => QueryResult, compared: ({ columns, rows }) => ({ columns, rows }) },
  // Only an excerpt of turns: the other queries of a run are not for figures.
  'runs.get': { shape: (key) => (key[3] === 'excerpt' ? z.array(Turn) : undefined), compared: (data) => data },
  'changes.list': { shape: () => listChanges.response, compared: (data) => data },
  'changes.get': { shape: () => getChangedFile.response, compared: (data) => data },
  'experiments.get': { shape: () => getExperiment.response },
  'experiments.versions': { shape: () => listVersions.response },
}

const kindOf = (key: readonly unknown[]) => kinds[key.slice(0, 2).join('.')]

const shapeOf = (key: readonly unknown[]) => kindOf(key)?.shape(key)

export const canBePinned = (key: readonly unknown[]) => shapeOf(key) !== undefined

/** The results that have the shape of their query, with what the shape names and nothing else. */
export const shapedResults = <Result extends { key: readonly unknown[]; data: unknown }>(results: readonly Result[]) =>
  results.flatMap((result) => {
    const parsed = shapeOf(result.key)?.safeParse(result.data)
    return parsed?.success ? [{ ...result, data: parsed.data }] : []
  })

/** Reads the results of a pinned figure. Anyone can write them. */
export const readResults = (json: string): PinnedResult[] =>
  shapedResults(z.array(PinnedResult).max(maxResults).safeParse(JSON.parse(json)).data ?? [])

/** The fingerprint of what the figure shows of a result; undefined if the result only helps to draw it. */
export function resultFingerprint({ key, data }: Pick<PinnedResult, 'key' | 'data'>): string | undefined {
  const compared = kindOf(key)?.compared
  return compared && fingerprintOf(rounded(compared(data as Record<string, unknown>)))
}

/** Six digits, so that a different order of summation does not count as a change. */
const rounded = (data: unknown): unknown =>
  JSON.parse(
    JSON.stringify(data, (_, value: unknown) =>
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value,
    ),
  )
