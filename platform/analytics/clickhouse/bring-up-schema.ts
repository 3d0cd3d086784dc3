import type { AnalyticsRow } from '#platform/context/analytics.ts'
import { EngineError } from '#platform/analytics/engine-error.ts'
import { schemaVersion } from '#platform/analytics/schema.ts'
import { unavailable } from '#platform/failures/failure.ts'
import { platformPolicyStatements, profileStatements } from './access-statements.ts'
import {
  createStatements,
  databaseBefore,
  databaseOfRows,
  dropOverShards,
  type Layout,
  putAside,
  versionOfColumn,
} from './layout.ts'
import { hidesRowsFromIndexes } from './server-version.ts'

/** ClickHouse's error numbers for a database or table that already exists, or does not exist. */
const alreadyThere = [57, 82]
export const notThere = [60, 81]

export const hasCode = (error: unknown, codes: readonly number[]) =>
  error instanceof EngineError && error.code !== null && codes.includes(error.code)

export type Ask = (sql: string) => Promise<AnalyticsRow[]>

/**
 * Creates the missing parts of the current schema on a server, and returns the databases of older schemas that were set
 * aside. It can be killed at any point, or run by several servers at once; a later run completes it.
 */
export async function bringUpSchema(ask: Ask, layout: Layout, readSeconds: number): Promise<string[]> {
  const version = await findVersion(ask, layout)
  if (version !== null && version > schemaVersion)
    throw unavailable('Analytics was upgraded by a newer version of the platform. Upgrade this server too')
  if (version !== null && version < schemaVersion) await putOlderAside(ask, layout)
  for (const sql of [...createStatements(layout), ...profileStatements(layout, readSeconds)]) await ask(sql)
  const [server] = await ask('SELECT currentUser() AS username, version() AS version')
  for (const sql of platformPolicyStatements(layout, String(server?.['username']))) await ask(sql)
  warnOfVersion(String(server?.['version']))
  return findOlderDatabases(ask, layout)
}

/** The schema version of the existing tables; 0 for tables from before versions, null when there are none. */
async function findVersion(ask: Ask, layout: Layout) {
  const rows = await ask(
    `SELECT name FROM system.columns WHERE database = '${databaseOfRows(layout)}' AND table = 'runs'`,
  )
  return rows.length === 0 ? null : Math.max(0, ...rows.map(({ name }) => versionOfColumn(String(name)) ?? 0))
}

async function putOlderAside(ask: Ask, layout: Layout) {
  if (layout.cluster !== null) await ask(dropOverShards(layout))
  await ask(putAside(layout)).catch((error: unknown) => {
    // Another server has already done it.
    if (!hasCode(error, [...alreadyThere, ...notThere])) throw error
  })
}

async function findOlderDatabases(ask: Ask, layout: Layout) {
  const names = Array.from({ length: schemaVersion }, (_, index) => `'${databaseBefore(layout, index + 1)}'`)
  const rows = await ask(`SELECT name FROM system.databases WHERE name IN (${names.join(', ')}) ORDER BY name`)
  return rows.map(({ name }) => String(name))
}

function warnOfVersion(version: string) {
  if (hidesRowsFromIndexes(version)) return
  console.error(
    `ClickHouse ${version} lets row policies be bypassed to read primary keys (its issue 115230). Upgrade it. Until then only the platform's own query check, which refuses mergeTreeIndex, protects them`,
  )
}
