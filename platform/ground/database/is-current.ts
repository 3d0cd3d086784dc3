import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Journal = { entries: { tag: string; when: number }[] }

const readJournal = (migrationsFolder: string): Journal =>
  JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8'))

/** The name of the newest migration. */
export const nameOfNewest = (migrationsFolder: string) => readJournal(migrationsFolder).entries.at(-1)?.tag ?? ''

/** A connection, of either engine. */
type Client = { query: <Row extends object>(statement: string) => Promise<{ rows: Row[] }> }

/**
 * Whether every migration has run. Throws if the database was used by a newer version, whose tables this version does not
 * know.
 */
export async function isCurrent(client: Client, migrationsFolder: string) {
  const has = `select to_regclass('drizzle.__drizzle_migrations') is not null as has`
  if (!(await client.query<{ has: boolean }>(has)).rows[0]?.has) return false
  // The time of the newest migration, as drizzle stores it.
  const applied = 'select max(created_at)::text as applied from drizzle.__drizzle_migrations'
  const { rows } = await client.query<{ applied: string | null }>(applied)
  const newest = Math.max(...readJournal(migrationsFolder).entries.map(({ when }) => when))
  const last = Number(rows[0]?.applied ?? 0)
  if (last <= newest) return last === newest
  throw new Error('The database was used by a newer version of Assay. Install that version, or restore an older backup')
}
