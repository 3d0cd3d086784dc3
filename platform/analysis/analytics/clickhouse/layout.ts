import { type AnalyticsTable, analyticsTableNames } from '#contract/sql-tables.ts'
import {
  columnsOf,
  dataSchema,
  definitionOf,
  emptyDatabase,
  orderOf,
  schemaVersion,
  settingsOf,
} from '#platform/analysis/analytics/create-tables.ts'

/** The cluster's name in `remote_servers`; null for a single server. */
export type Layout = { cluster: string | null }

/** A name or text, quoted for ClickHouse. */
export const quoteName = (name: string) => `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``
export const quoteText = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`

export const onCluster = ({ cluster }: Layout) => (cluster === null ? '' : ` ON CLUSTER ${quoteName(cluster)}`)

/**
 * The database of the tables with the rows. In a cluster, `session_data_v1` has distributed tables of the same names.
 */
export const databaseOfRows = ({ cluster }: Layout) => (cluster === null ? dataSchema : `${dataSchema}_local`)

/**
 * A column without values, named by the schema version. Inserts name it, so a server of the platform with another
 * version is refused before its rows are read, and its runs stay in the outbox.
 */
const versionColumn = `schema_v${schemaVersion}`

export const versionOfColumn = (name: string) => {
  const [, version] = /^schema_v(\d+)$/.exec(name) ?? []
  return version === undefined ? null : Number(version)
}

/** The columns of an insert. */
export const insertedColumns = (table: AnalyticsTable): [string, ...string[]] => [
  'organization_id',
  ...columnsOf[table],
  versionColumn,
]

/** Rows of older schemas are in a database of this name until each organization is projected again. */
export const databaseBefore = (layout: Layout, version: number = schemaVersion) =>
  `${databaseOfRows(layout)}_before_${version}`

/** Creates the missing parts of the current schema. Every statement is repeatable, even by several servers at once. */
export function createStatements(layout: Layout): string[] {
  const on = onCluster(layout)
  const databases = [...new Set([emptyDatabase, databaseOfRows(layout), dataSchema])]
  return [
    ...databases.map((database) => `CREATE DATABASE IF NOT EXISTS ${database}${on} ENGINE = Atomic`),
    ...analyticsTableNames.map((table) => createTable(layout, table)),
    ...(layout.cluster === null ? [] : analyticsTableNames.map((table) => createOverShards(layout, table))),
  ]
}

const createTable = (layout: Layout, table: AnalyticsTable) => {
  const engine = layout.cluster === null ? 'ReplacingMergeTree' : 'ReplicatedReplacingMergeTree'
  return `CREATE TABLE IF NOT EXISTS ${databaseOfRows(layout)}.${table}${onCluster(layout)}
    (${definitionOf[table]}, ${versionColumn} UInt8 DEFAULT 0) ENGINE = ${engine} ORDER BY (${orderOf[table]})${settingsOf(table)}`
}

/** All rows of a run are in one shard, where duplicates merge, so FINAL per shard equals FINAL over all. */
const createOverShards = (layout: Layout, table: AnalyticsTable) => {
  const source = databaseOfRows(layout)
  const place = [quoteName(layout.cluster ?? ''), source, table, 'cityHash64(run_id)'].join(', ')
  return `CREATE TABLE IF NOT EXISTS ${dataSchema}.${table}${onCluster(layout)} AS ${source}.${table} ENGINE = Distributed(${place})`
}

/**
 * Sets the rows of an older schema aside in one step. Only one of several servers succeeds, as the name is then in use.
 */
export const setAsideStatement = (layout: Layout) =>
  `RENAME DATABASE ${databaseOfRows(layout)} TO ${databaseBefore(layout)}${onCluster(layout)}`

/** The distributed tables contain no rows themselves. */
export const dropDistributedStatement = (layout: Layout) =>
  `DROP DATABASE IF EXISTS ${dataSchema}${onCluster(layout)} SYNC`

/** Deletes some rows of a table in every shard and replica. */
export const removeStatement = (layout: Layout, table: AnalyticsTable, condition: string) =>
  `DELETE FROM ${databaseOfRows(layout)}.${table}${onCluster(layout)} WHERE ${condition}`

/**
 * Deletes an organization's rows from a database in every shard and replica. `runs` is last, because it marks the rest.
 */
export const deleteStatements = (layout: Layout, database: string, organizationId: string) =>
  analyticsTableNames
    .toReversed()
    .map(
      (table) =>
        `DELETE FROM ${database}.${table}${onCluster(layout)} WHERE organization_id = toUUID(${quoteText(organizationId)})`,
    )
