import type { AnalyticsTable } from '#platform/context/analytics.ts'
import {
  columnsOf,
  dataSchema,
  definitionOf,
  emptyDatabase,
  orderOf,
  schemaVersion,
} from '#platform/analytics/schema.ts'

/** A cluster by the name that `remote_servers` gives it; null for one server. */
export type Layout = { cluster: string | null }

export const analyticsTableNames: readonly AnalyticsTable[] = ['runs', 'tests', 'turns']

/** A name or text as ClickHouse reads it. */
export const quoteName = (name: string) => `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``
export const quoteText = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`

export const onCluster = ({ cluster }: Layout) => (cluster === null ? '' : ` ON CLUSTER ${quoteName(cluster)}`)

/** The database whose tables hold the rows. In a cluster, `session_data_v1` has tables of the same names over all shards. */
export const databaseOfRows = ({ cluster }: Layout) => (cluster === null ? dataSchema : `${dataSchema}_local`)

/**
 * A column that no row fills, named by the version of the schema. An insert names it, so a server of the platform that knows
 * only another version is refused before its rows are read, and its runs stay in the outbox.
 */
const versionColumn = (version: number = schemaVersion) => `schema_v${version}`

export const versionOfColumn = (name: string) => {
  const [, version] = /^schema_v(\d+)$/.exec(name) ?? []
  return version === undefined ? null : Number(version)
}

/** The columns an insert names. */
export const insertedColumns = (table: AnalyticsTable): [string, ...string[]] => [
  'organization_id',
  ...columnsOf[table],
  versionColumn(),
]

/** Rows of older schemas are kept aside under this name until each organization's are written anew. */
export const databaseBefore = (layout: Layout, version: number = schemaVersion) =>
  `${databaseOfRows(layout)}_before_${version}`

/** Makes what is not there yet of the current schema; every statement may be repeated, and by several servers at once. */
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
    (${definitionOf(table)}, ${versionColumn()} UInt8 DEFAULT 0) ENGINE = ${engine} ORDER BY (${orderOf[table]})`
}

/** All rows of a run are of one shard: there its duplicates meet, so FINAL over the shards is FINAL over the whole. */
const createOverShards = (layout: Layout, table: AnalyticsTable) => {
  const source = databaseOfRows(layout)
  const place = [quoteName(layout.cluster ?? ''), source, table, 'cityHash64(run_id)'].join(', ')
  return `CREATE TABLE IF NOT EXISTS ${dataSchema}.${table}${onCluster(layout)} AS ${source}.${table} ENGINE = Distributed(${place})`
}

/** Puts the rows of an older schema aside in one step. Of several servers one succeeds: a database of that name then exists. */
export const putAside = (layout: Layout) =>
  `RENAME DATABASE ${databaseOfRows(layout)} TO ${databaseBefore(layout)}${onCluster(layout)}`

/** The tables over all shards hold nothing themselves. */
export const dropOverShards = (layout: Layout) => `DROP DATABASE IF EXISTS ${dataSchema}${onCluster(layout)} SYNC`

/** Removes an organization's rows from a database of rows, in every shard and replica; its runs, which tell of it, last. */
export const deleteStatements = (layout: Layout, database: string, organizationId: string) =>
  analyticsTableNames
    .toReversed()
    .map(
      (table) =>
        `DELETE FROM ${database}.${table}${onCluster(layout)} WHERE organization_id = toUUID(${quoteText(organizationId)})`,
    )
