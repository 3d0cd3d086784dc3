import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { LeftOutRuns } from './infrastructure.ts'
import { InsightDescription, InsightHeading, InsightLabels, InsightSlug } from './insight-fields.ts'
import { ExportFormat, exportTypes } from './run-export.ts'
import { limitParam, limits } from '#contract/wire/limit.ts'
import { booleanParam } from '#contract/wire/query-values.ts'

/** `type` is the ClickHouse type of the column, such as `Nullable(Float64)`. */
export const ResultColumn = z.object({ name: z.string(), type: z.string() })
export type ResultColumn = z.infer<typeof ResultColumn>

/** The engine's work for a result. `bytesRead` is uncompressed. */
const QueryStatistics = z.object({
  elapsedSeconds: z.number().min(0),
  rowsRead: z.int().min(0),
  bytesRead: z.int().min(0),
})

/**
 * The rows of a SQL result. Each row has one value per column, in projection order. `truncated` means that the limit
 * cut off further rows. Values lose no precision: integers are JSON numbers as long as JavaScript represents them
 * exactly, and decimal strings beyond; floats that JSON cannot represent are "NaN", "Infinity" and "-Infinity"; a
 * Decimal is a string; a date is `YYYY-MM-DD`; a timestamp is RFC 3339 in UTC, or as written in the time zone of its
 * type; arrays and tuples are arrays; a map is an array of [key, value]; UUID, enum and IP addresses are strings.
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
 * An addition to the API: the number of runs of the scope that ended before the call but are missing from the response.
 * Absent if none is missing. Later calls include more of them.
 */
export const PendingRuns = z.int().min(1).optional()

/**
 * The amount that the engine would read, estimated from its index alone. `bytes` is uncompressed and counts whole rows.
 */
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

/** The unit that a 95 % interval of a modeled query counts as a random sample. */
export const IntervalUnit = z.enum(['runs', 'prompts'])
export type IntervalUnit = z.infer<typeof IntervalUnit>

/**
 * The response to `discoverDimension`: '' lists all dimensions and metrics; a dimension lists its observed values, each
 * with its number of runs. The value null counts the runs without a recorded value.
 */
export const Discovered = z.object({
  dimension: Dimension.nullable(),
  dimensions: z.array(Dimension),
  metrics: z.array(Metric),
  values: z.array(z.object({ value: z.string().nullable(), runs: z.int().min(0) })),
})
export type Discovered = z.infer<typeof Discovered>

/** `created` is false if `force` overwrote an insight. */
const SavedInsight = z.object({ id: z.string(), slug: z.string(), created: z.boolean() })

/**
 * The response of both query routes. `compiledSql` is the statement as the engine formats it; sent as `sql` to the same
 * route, it returns the same rows. A dry run has no rows and has an `estimate`.
 */
export const QueryResult = ResultTable.extend({
  compiledSql: z.string(),
  estimate: QueryEstimate.optional(),
  discovered: Discovered.optional(),
  savedInsight: SavedInsight.optional(),
  excludedTestAwareRuns: z.int().min(0).optional(),
  /** An addition: the runs that are left out, by cause. A modeled query does not count them. */
  leftOutRuns: LeftOutRuns.optional(),
  pendingRuns: PendingRuns,
})
export type QueryResult = z.infer<typeof QueryResult>

const rowLimit = z.int().min(0).max(limits.queryRows.max).optional()

/** `save`: saves the statement as an insight after it has succeeded. */
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

/** Without `not_found`, because the path names no record. */
const organizationQueryErrors = queryErrors.filter((code) => code !== 'not_found')

export const queryExperiment = endpoint({
  name: 'queries.experiment',
  method: 'POST',
  path: '/experiments/:id/query',
  summary: 'Query the results of an experiment with SQL, or as metrics by dimensions',
  openToViewers: true,
  body: z.object({
    sql: z.string().optional(),
    limit: rowLimit,
    dryRun: z.boolean().optional(),
    includeTestAware: z.boolean().optional(),
    saveInsight: SaveInsight.optional(),
    metrics: z.array(Metric).max(Metric.options.length).optional(),
    groupBy: z.array(Dimension).max(Dimension.options.length).optional(),
    stat: z.literal('mean').optional(),
    /** An addition: `<metric>Low` and `<metric>High`, the ends of the 95 % interval of each mean. */
    interval: IntervalUnit.optional(),
    agents: axisFilter,
    /** An addition: the one axis for which the API document has no filter. */
    models: axisFilter,
    products: axisFilter,
    environments: axisFilter,
    prompts: axisFilter,
    experimentVersion: z.string().optional(),
    discoverDimension: z.union([z.literal(''), Dimension]).optional(),
  }),
  bodyBytes: limits.textBodyBytes,
  bodyValues: 7000,
  bodyAliases: { save: 'saveInsight', version: 'experimentVersion', dimensions: 'discoverDimension' },
  response: QueryResult,
  errors: queryErrors,
})

/** An addition: the API document has query routes for one experiment and one run only. */
export const queryOrganization = endpoint({
  name: 'queries.organization',
  method: 'POST',
  path: '/query',
  summary: 'Query the results of every experiment of the organization with SQL',
  openToViewers: true,
  body: z.object({
    sql: z.string(),
    limit: rowLimit,
    dryRun: z.boolean().optional(),
    includeTestAware: z.boolean().optional(),
    saveInsight: SaveInsight.optional(),
  }),
  bodyBytes: limits.textBodyBytes,
  bodyValues: 7000,
  bodyAliases: { save: 'saveInsight' },
  response: QueryResult,
  errors: organizationQueryErrors,
})

export const queryRun = endpoint({
  name: 'queries.run',
  method: 'POST',
  path: '/runs/:id/query',
  summary: 'Query one run with SQL; requires a composite run id',
  openToViewers: true,
  body: z.object({
    sql: z.string(),
    limit: rowLimit,
    dryRun: z.boolean().optional(),
    saveInsight: SaveInsight.optional(),
  }),
  bodyBytes: limits.textBodyBytes,
  bodyValues: 7000,
  bodyAliases: { save: 'saveInsight' },
  response: QueryResult,
  errors: queryErrors,
})

/**
 * Addition: the rows of a statement as a file, by an address that pandas, R and DuckDB open with a key. A result that is
 * larger than its limit is refused, because a file does not say that rows are missing; with `limit`, the caller chose to
 * cut it.
 */
export const queryFile = endpoint({
  name: 'queries.file',
  method: 'GET',
  path: '/query/file',
  summary: 'Download the rows of a SQL statement, as CSV, NDJSON or Parquet',
  query: z.object({
    sql: z.string(),
    experimentId: z.string().optional(),
    limit: limitParam(limits.queryRows),
    includeTestAware: booleanParam(),
    format: ExportFormat.optional(),
  }),
  response: z.string(),
  fileTypes: Object.values(exportTypes),
  errors: queryErrors.filter((code) => code !== 'already_exists'),
})

/** Every route that takes a statement. */
export const queryEndpoints = [queryExperiment, queryRun, queryOrganization, queryFile]
