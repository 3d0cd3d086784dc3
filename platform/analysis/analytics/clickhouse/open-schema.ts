import type { Analytics } from '#platform/ground/services/analytics.ts'
import { readRows } from '#platform/analysis/analytics/rows-as-json.ts'
import { unavailable } from '#platform/ground/failures/failure.ts'
import { type Query, ensureSchema, hasCode, doesNotExistCodes } from './ensure-schema.ts'
import { isRowOfRuns } from '#platform/analysis/analytics/rows-of-runs.ts'
import { dataSchema } from '#platform/analysis/analytics/create-tables.ts'
import { databaseOfRows, deleteStatements, type Layout, quoteName, quoteText, removeStatement } from './layout.ts'
import type { Server } from './server.ts'

const schemaSeconds = 200

/** The platform's databases on a server. Their first use upgrades them to the current schema. */
export type OpenSchema = {
  /** Resolves when the tables exist. Throws `unavailable` when a newer platform created them. */
  ready: () => Promise<void>
  /** Throws `unavailable` while the organization's rows of an older schema wait for a reindex. */
  requireCurrent: (organizationId: string) => Promise<void>
  findOutdated: () => Promise<string[]>
  hasNoRows: (organizationId: string) => Promise<boolean>
  /** Notes that the organization has rows, so that it is not checked again while the tables exist. */
  noteFilled: (organizationId: string) => void
  remove: Analytics['remove']
  clear: (organizationId: string) => Promise<void>
  /** Call it with the error of any statement: the next statement then creates dropped tables again. */
  noteError: (error: unknown) => void
}

export function openSchema(server: Server, layout: Layout, { readSeconds }: { readSeconds: number }): OpenSchema {
  let made: Promise<string[]> | undefined
  const current = new Set<string>()
  const filled = new Set<string>()

  const query: Query = async (sql) => readRows(await server.query({ sql, seconds: schemaSeconds }))

  /** Returns the databases of older schemas. */
  function bringUp() {
    made ??= ensureSchema(query, layout, readSeconds).catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }

  const runsOf = (database: string) =>
    layout.cluster === null ? `${database}.runs` : `cluster(${quoteName(layout.cluster)}, ${database}, runs)`

  /** An organization is outdated while a database of an older schema has its runs. Clearing removes those too. */
  async function findOutdated() {
    const older = await bringUp()
    const found = await Promise.all(
      older.map((database) => query(`SELECT DISTINCT organization_id FROM ${runsOf(database)}`)),
    )
    return [...new Set(found.flat().map((row) => String(row['organization_id'])))]
  }

  return {
    findOutdated,
    async ready() {
      await bringUp()
    },
    async requireCurrent(organizationId) {
      const older = await bringUp()
      if (older.length === 0 || current.has(organizationId)) return
      const outdated = await findOutdated()
      if (outdated.includes(organizationId)) throw unavailable('Analytics of your organization is being rebuilt')
      current.add(organizationId)
    },
    async hasNoRows(organizationId) {
      if (filled.has(organizationId)) return false
      await bringUp()
      const condition = `organization_id = toUUID(${quoteText(organizationId)})`
      const rows = await query(`SELECT 1 FROM ${dataSchema}.runs WHERE ${condition} LIMIT 1`)
      if (rows.length > 0) filled.add(organizationId)
      return rows.length === 0
    },
    noteFilled: (organizationId) => void filled.add(organizationId),
    async remove(organizationId, tables, runIds) {
      await bringUp()
      for (const table of tables) await query(removeStatement(layout, table, isRowOfRuns(organizationId, runIds)))
    },
    async clear(organizationId) {
      // The older databases are last: if it is killed before, the organization still counts as outdated.
      for (const database of [databaseOfRows(layout), ...(await bringUp())])
        for (const sql of deleteStatements(layout, database, organizationId)) await query(sql)
    },
    noteError(error) {
      if (!hasCode(error, doesNotExistCodes)) return
      made = undefined
      current.clear()
      filled.clear()
    },
  }
}
