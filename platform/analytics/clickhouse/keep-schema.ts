import { readRows } from '#platform/analytics/rows-as-json.ts'
import { unavailable } from '#platform/failures/failure.ts'
import { type Ask, bringUpSchema, hasCode, notThere } from './bring-up-schema.ts'
import { dataSchema } from '#platform/analytics/schema.ts'
import { databaseOfRows, deleteStatements, type Layout, quoteName, quoteText } from './layout.ts'
import type { Server } from './server.ts'

const schemaSeconds = 200

/** The platform's databases on a server. Their first use upgrades them to the current schema. */
export type KeptSchema = {
  /** Resolves when the tables exist. Throws `unavailable` when a newer platform created them. */
  ready: () => Promise<void>
  /** Throws `unavailable` while the organization's rows of an older schema wait for a reindex. */
  requireCurrent: (organizationId: string) => Promise<void>
  findOutdated: () => Promise<string[]>
  hasNoRows: (organizationId: string) => Promise<boolean>
  /** Notes that the organization has rows, so that it is not checked again while the tables exist. */
  noteFilled: (organizationId: string) => void
  clear: (organizationId: string) => Promise<void>
  /** Call it with the error of any statement: the next statement then creates dropped tables again. */
  noteError: (error: unknown) => void
}

export function keepSchema(server: Server, layout: Layout, { readSeconds }: { readSeconds: number }): KeptSchema {
  let made: Promise<string[]> | undefined
  const current = new Set<string>()
  const filled = new Set<string>()

  const ask: Ask = async (sql) => readRows(await server.ask({ sql, seconds: schemaSeconds }))

  /** Returns the databases of older schemas. */
  function bringUp() {
    made ??= bringUpSchema(ask, layout, readSeconds).catch((error: unknown) => {
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
      older.map((database) => ask(`SELECT DISTINCT organization_id FROM ${runsOf(database)}`)),
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
      const rows = await ask(`SELECT 1 FROM ${dataSchema}.runs WHERE ${condition} LIMIT 1`)
      if (rows.length > 0) filled.add(organizationId)
      return rows.length === 0
    },
    noteFilled: (organizationId) => void filled.add(organizationId),
    async clear(organizationId) {
      // The older databases are last: if it is killed before, the organization still counts as outdated.
      for (const database of [databaseOfRows(layout), ...(await bringUp())])
        for (const sql of deleteStatements(layout, database, organizationId)) await ask(sql)
    },
    noteError(error) {
      if (!hasCode(error, notThere)) return
      made = undefined
      current.clear()
      filled.clear()
    },
  }
}
