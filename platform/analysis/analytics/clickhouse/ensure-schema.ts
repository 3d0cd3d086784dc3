import { logTrouble } from '#server-kit/log-fault.ts'
import type { AnalyticsRow } from '#platform/ground/services/analytics.ts'
import { EngineError } from '#platform/analysis/analytics/engine-error.ts'
import { schemaVersion } from '#platform/analysis/analytics/create-tables.ts'
import { unavailable } from '#platform/ground/failures/failure.ts'
import { platformPolicyStatements, profileStatements } from './access-statements.ts'
import {
  createStatements,
  databaseBefore,
  databaseOfRows,
  dropDistributedStatement,
  type Layout,
  setAsideStatement,
  versionOfColumn,
} from './layout.ts'
import { hidesRowsFromIndexes } from './server-version.ts'

/** ClickHouse's error numbers for a database or table that already exists, or does not exist. */
const alreadyExistsCodes = [57, 82]
export const doesNotExistCodes = [60, 81]

export const hasCode = (error: unknown, codes: readonly number[]) =>
  error instanceof EngineError && error.code !== null && codes.includes(error.code)

export type Query = (sql: string) => Promise<AnalyticsRow[]>

/**
 * Creates the missing parts of the current schema on a server, and returns the databases of older schemas that were set
 * aside. It can be killed at any point, or run by several servers at once; a later run completes it.
 */
export async function ensureSchema(query: Query, layout: Layout, readSeconds: number): Promise<string[]> {
  const version = await findVersion(query, layout)
  if (version !== null && version > schemaVersion)
    throw unavailable('Analytics was upgraded by a newer version of the platform. Upgrade this server too')
  if (version !== null && version < schemaVersion) await setOlderAside(query, layout)
  for (const sql of [...createStatements(layout), ...profileStatements(layout, readSeconds)]) await query(sql)
  const [server] = await query('SELECT currentUser() AS username, version() AS version')
  for (const sql of platformPolicyStatements(layout, String(server?.['username']))) await query(sql)
  warnOfVersion(String(server?.['version']))
  return findOlderDatabases(query, layout)
}

/** The schema version of the existing tables; 0 for tables from before versions, null when there are none. */
async function findVersion(query: Query, layout: Layout) {
  const rows = await query(
    `SELECT name FROM system.columns WHERE database = '${databaseOfRows(layout)}' AND table = 'runs'`,
  )
  return rows.length === 0 ? null : Math.max(0, ...rows.map(({ name }) => versionOfColumn(String(name)) ?? 0))
}

async function setOlderAside(query: Query, layout: Layout) {
  if (layout.cluster !== null) await query(dropDistributedStatement(layout))
  await query(setAsideStatement(layout)).catch((error: unknown) => {
    // Another server has already done it.
    if (!hasCode(error, [...alreadyExistsCodes, ...doesNotExistCodes])) throw error
  })
}

async function findOlderDatabases(query: Query, layout: Layout) {
  const names = Array.from({ length: schemaVersion }, (_, index) => `'${databaseBefore(layout, index + 1)}'`)
  const rows = await query(`SELECT name FROM system.databases WHERE name IN (${names.join(', ')}) ORDER BY name`)
  return rows.map(({ name }) => String(name))
}

function warnOfVersion(version: string) {
  if (hidesRowsFromIndexes(version)) return
  logTrouble(
    `ClickHouse ${version} lets row policies be bypassed to read primary keys (its issue 115230). Upgrade it. Until then only the platform's own query check, which refuses mergeTreeIndex, protects them`,
  )
}
