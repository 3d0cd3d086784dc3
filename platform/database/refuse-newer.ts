import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Journal = { entries: { tag: string; when: number }[] }

const readJournal = (migrationsFolder: string): Journal =>
  JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8'))

/** The name of the newest migration. */
export const nameOfNewest = (migrationsFolder: string) => readJournal(migrationsFolder).entries.at(-1)?.tag ?? ''

export const hasMigrations = `select to_regclass('drizzle.__drizzle_migrations') is not null as has`

export type Applied = { applied: string | null }

/** The time of the newest migration that a database has, as drizzle stores it. */
export const appliedMigration = 'select max(created_at)::text as applied from drizzle.__drizzle_migrations'

/** Throws if the database was used by a newer version, whose tables this version does not know. */
export function refuseNewer(applied: string | null | undefined, migrationsFolder: string) {
  const newest = Math.max(...readJournal(migrationsFolder).entries.map(({ when }) => when))
  if (applied === null || applied === undefined || Number(applied) <= newest) return
  throw new Error('The database was used by a newer version of Assay. Install that version, or restore an older backup')
}
