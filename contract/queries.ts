import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { InsightDescription, InsightHeading, InsightLabels, InsightSlug } from './insight-fields.ts'
import { limits } from './wire/limit.ts'

/** `type` is ClickHouse's name of the column's type, such as `Nullable(Float64)`. */
export const ResultColumn = z.object({ name: z.string(), type: z.string() })
export type ResultColumn = z.infer<typeof ResultColumn>

/** What the engine did for an answer; `bytesRead` is uncompressed. */
const QueryStatistics = z.object({
  elapsedSeconds: z.number().min(0),
  rowsRead: z.int().min(0),
  bytesRead: z.int().min(0),
})

/**
 * The rows of any SQL answer: each row has one value per column, in projection order. `truncated` says that the limit cut
 * further rows off. Values lose nothing on the way: integers are JSON numbers while JavaScript holds them exactly and
 * decimal strings beyond; floats that JSON cannot hold are "NaN", "Infinity" and "-Infinity"; Decimal is a string; a date
 * is `YYYY-MM-DD`; a moment is RFC 3339 in UTC, or as written in the time zone its type names; arrays and tuples are
 * arrays; a map is an array of [key, value]; UUID, enum and IP addresses are strings.
 */
export const ResultTable = z.object({
  columns: z.array(ResultColumn),
  rows: z.array(z.array(z.unknown())),
  rowCount: z.int().min(0),
  truncated: z.boolean(),
  statistics: QueryStatistics.optional(),
})
export type ResultTable = z.infer<typeof ResultTable>

/**
 * An addition: how many runs of the scope that ended before the call are missing from the answer. Absent when none
 * are; a later call misses fewer.
 */
export const PendingRuns = z.int().min(1).optional()

/** What the engine would read, from its index alone; `bytes` is uncompressed and counts whole rows. */
export const QueryEstimate = z.object({
  rows: z.int().min(0),
  marks: z.int().min(0),
  parts: z.int().min(0),
  bytes: z.int().min(0),
})
export type QueryEstimate = z.infer<typeof QueryEstimate>

/** The metrics of a modeled query: POST /experiments/{id}/query without `sql`. */
export const Metric = z.enum([
  'testPassRate',
  'testsPassed',
  'testsFailed',
  'cost',
  'wallClockTime',
  'tokens',
  'toolCalls',
  'toolFailures',
])
export type Metric = z.infer<typeof Metric>

export const Dimension = z.enum(['variant', 'agent', 'model', 'product', 'environment', 'prompt', 'test'])
export type Dimension = z.infer<typeof Dimension>

/**
 * Answer to `discoverDimension`: '' lists all dimensions and metrics, a dimension lists its observed values, each with how
 * many runs have it; null stands for runs with no recorded value.
 */
export const Discovered = z.object({
  dimension: Dimension.nullable(),
  dimensions: z.array(Dimension),
  metrics: z.array(Metric),
  values: z.array(z.object({ value: z.string().nullable(), runs: z.int().min(0) })),
})
export type Discovered = z.infer<typeof Discovered>

/** `created` is false when `force` wrote over an insight. */
const SavedInsight = z.object({ id: z.string(), slug: z.string(), created: z.boolean() })

/**
 * The answer of both query routes. `compiledSql` is the statement as the engine formats it; sent as `sql` to the same
 * route it gives the same rows. A dry run has no rows and an `estimate`.
 */
export const QueryResult = ResultTable.extend({
  compiledSql: z.string(),
  estimate: QueryEstimate.optional(),
  discovered: Discovered.optional(),
  savedInsight: SavedInsight.optional(),
  excludedTestAwareRuns: z.int().min(0).optional(),
  pendingRuns: PendingRuns,
})
export type QueryResult = z.infer<typeof QueryResult>

const rowLimit = z.int().min(0).max(limits.queryRows.max).optional()

/** `save`: keeps the statement as an insight once it has answered. */
const SaveInsight = z.object({
  heading: InsightHeading,
  slug: InsightSlug.optional(),
  description: InsightDescription.optional(),
  labels: InsightLabels.optional(),
  force: z.boolean().optional(),
})

const axisFilter = z.array(z.string()).max(1000).optional()

const queryErrors = [
  'invalid_argument',
  'unauthenticated',
  'permission_denied',
  'not_found',
  'already_exists',
  'resource_exhausted',
  'unavailable',
] as const

export const queryExperiment = endpoint({
  name: 'queries.experiment',
  method: 'POST',
  path: '/experiments/:id/query',
  summary: 'Query the results of an experiment: raw SQL, or metrics by dimensions',
  body: z.object({
    sql: z.string().optional(),
    limit: rowLimit,
    dryRun: z.boolean().optional(),
    includeTestAware: z.boolean().optional(),
    saveInsight: SaveInsight.optional(),
    metrics: z.array(Metric).max(Metric.options.length).optional(),
    groupBy: z.array(Dimension).max(Dimension.options.length).optional(),
    stat: z.literal('mean').optional(),
    agents: axisFilter,
    /** An addition: the one axis the document has no filter for. */
    models: axisFilter,
    products: axisFilter,
    environments: axisFilter,
    prompts: axisFilter,
    experimentVersion: z.string().optional(),
    discoverDimension: z.union([z.literal(''), Dimension]).optional(),
  }),
  bodyAliases: { save: 'saveInsight', version: 'experimentVersion', dimensions: 'discoverDimension' },
  response: QueryResult,
  errors: queryErrors,
})

export const queryRun = endpoint({
  name: 'queries.run',
  method: 'POST',
  path: '/runs/:id/query',
  summary: 'Query one run by SQL; composite run ids only',
  body: z.object({
    sql: z.string(),
    limit: rowLimit,
    dryRun: z.boolean().optional(),
    saveInsight: SaveInsight.optional(),
  }),
  bodyAliases: { save: 'saveInsight' },
  response: QueryResult,
  errors: queryErrors,
})
