import { z } from 'zod'

import { PromptTasks } from './prompt-tasks.ts'
import { ChartGroupBy, ChartMetric } from './charts.ts'
import { RunStatus } from './run-status.ts'
import { Variant } from './variants.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import { compositeRunId } from '#contract/wire/run-id.ts'

const count = z.int().min(0)
const measured = z.number().nullable()

/** One finished run of a scatterplot or metric comparison. A metric that was not measured is null. */
export const ChartRun = Variant.extend({
  id: z.string(),
  runId: z.string(),
  runUuid: z.uuid(),
  runRequestId: z.uuid(),
  group: z.string(),
  /** The task of its prompt, where any prompt names one. */
  task: z.string().optional(),
  versionFingerprint: z.string(),
  versionOrdinal: z.int(),
  repeat: z.int(),
  status: RunStatus,
  mock: z.boolean(),
  metrics: z.record(ChartMetric, measured),
  /** The score that the parameters name. */
  score: measured.optional(),
  endedAt: Timestamp,
})
export type ChartRun = z.infer<typeof ChartRun>

/** The runs of one group, most recently ended first. */
export const ChartRuns = z.object({
  groupBy: ChartGroupBy,
  groupValue: z.string(),
  version: z.string(),
  total: count,
  runs: z.array(ChartRun),
  nextCursor: z.string().nullable(),
})
export type ChartRuns = z.infer<typeof ChartRuns>

/**
 * A page of points, one per run, most recently ended first; `total` counts all pages. Stored by column, because 50,000
 * points are common: point i has the value at index i of every column, where `variant`, `version` and `request` are
 * indexes into the page's own `variants`, `versions` and `requests`. `pointAt` converts a point back to a run.
 */
export const ChartPoints = z.object({
  groupBy: ChartGroupBy,
  version: z.string(),
  total: count,
  variants: z.array(Variant.extend({ group: z.string() })),
  versions: z.array(z.object({ fingerprint: z.string(), ordinal: z.int() })),
  requests: z.array(z.uuid()),
  /** Absent if no prompt names its task. */
  promptTasks: PromptTasks.optional(),
  columns: z.object({
    runUuid: z.array(z.string()),
    /** Together with the variant id, it forms the run's composite id. */
    hash: z.array(z.string()),
    variant: z.array(count),
    version: z.array(count),
    request: z.array(count),
    repeat: z.array(z.int()),
    status: z.array(RunStatus),
    mock: z.array(z.boolean()),
    endedAt: z.array(z.string()),
    metrics: z.record(ChartMetric, z.array(measured)),
    score: z.array(measured).optional(),
  }),
  nextCursor: z.string().nullable(),
})
export type ChartPoints = z.infer<typeof ChartPoints>

/** Returns the run at an index of a page of points, as `runs` would list it, or null if the page is shorter. */
export function pointAt({ columns, variants, versions, requests }: ChartPoints, place: number): ChartRun | null {
  const [runUuid, hash] = [columns.runUuid[place], columns.hash[place]]
  const variant = variants[columns.variant[place] ?? -1]
  const version = versions[columns.version[place] ?? -1]
  const runRequestId = requests[columns.request[place] ?? -1]
  const [repeat, status, mock] = [columns.repeat[place], columns.status[place], columns.mock[place]]
  const endedAt = columns.endedAt[place]
  if (
    !runUuid ||
    !hash ||
    !variant ||
    !version ||
    !runRequestId ||
    !repeat ||
    !status ||
    mock === undefined ||
    !endedAt
  )
    return null
  const metrics = {} as Record<ChartMetric, number | null>
  for (const metric of ChartMetric.options) metrics[metric] = columns.metrics[metric][place] ?? null
  const id = compositeRunId(variant.variantId, hash)
  return {
    ...variant,
    id,
    runId: id,
    runUuid,
    runRequestId,
    versionFingerprint: version.fingerprint,
    versionOrdinal: version.ordinal,
    repeat,
    status,
    mock,
    metrics,
    ...(columns.score && { score: columns.score[place] ?? null }),
    endedAt,
  }
}
