import {
  type AnalyticsColumn,
  type AnalyticsTable,
  analyticsTableNames,
  analyticsTables,
} from '#contract/sql-tables.ts'

/** The data schema family. Saved SQL may name its tables. */
export const dataSchema = 'session_data_v1'

/**
 * Increase it with every change to `contract/sql-tables.ts`, to the tables' settings below, or to the rules that make a
 * signature (`platform/analysis/projection/signatures/`): rows of another version are dropped and projected again.
 */
export const schemaVersion = 13

/**
 * The default database of users' statements. It has no tables, so a table name is only valid where a scope defines it.
 */
export const emptyDatabase = 'nothing'

/** Rows that no reader sees. A removed label leaves a row with an empty kind, because rows are only ever replaced. */
export const hiddenRows: Partial<Record<AnalyticsTable, string>> = { labels: "kind = ''" }

const ofEachTable = <T>(value: (columns: readonly AnalyticsColumn[]) => T) =>
  Object.fromEntries(analyticsTables.map(({ name, columns }) => [name, value(columns)])) as Record<AnalyticsTable, T>

/** The columns that users see of each table. The column `organization_id`, which every table also has, is internal. */
export const columnsOf = ofEachTable((columns): readonly string[] => columns.map(({ name }) => name))

/** The order of `tests` suits the heatmap, whose cells are experiment × test. */
export const orderOf = {
  runs: 'organization_id, experiment_id, run_id',
  tests: 'organization_id, experiment_id, test_name, run_id, ordinal',
  turns: 'organization_id, experiment_id, run_id, seq',
  spans: 'organization_id, experiment_id, run_id, seq',
  failures: 'organization_id, experiment_id, run_id, place',
  outputs: 'organization_id, experiment_id, run_id, ordinal, stream',
  labels: 'organization_id, experiment_id, run_id, slot',
  scores: 'organization_id, experiment_id, run_id, ordinal',
} as const satisfies Record<AnalyticsTable, string>

/**
 * The engine reads text in pieces of this size. A search reads runs from the newest to the oldest, and their ids have no
 * order, so that larger pieces would contain mostly the text of other runs.
 */
const bytesPerGranule = 256 * 1024

/** The settings of a table for CREATE TABLE, or ''. */
export const settingsOf = (table: AnalyticsTable) =>
  table === 'turns' || table === 'outputs' ? ` SETTINGS index_granularity_bytes = ${bytesPerGranule}` : ''

/** The columns of each table for CREATE TABLE. */
export const definitionOf = ofEachTable((columns) =>
  ['organization_id UUID', ...columns.map(({ name, type }) => `${name} ${type}`)].join(', '),
)

/**
 * A projector killed between insert and acknowledgement inserts the same rows again. ReplacingMergeTree returns them
 * once to every query with FINAL (1 M test rows of one experiment among 10 M: 45 ms with FINAL, 22 ms without).
 */
const createTable = (table: AnalyticsTable) =>
  `CREATE TABLE IF NOT EXISTS ${table} (${definitionOf[table]}) ENGINE = ReplacingMergeTree ORDER BY (${orderOf[table]})${settingsOf(table)}`

export const tableStatements: readonly string[] = analyticsTableNames.map(createTable)
