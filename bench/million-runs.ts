import { startThrowawayPostgres } from '#tools/postgres.mjs'

/** Measures the lists of `sorted-runs.ts` on PostgreSQL with a million runs. Inserting them takes minutes. */
const postgres = await startThrowawayPostgres()
if (!postgres) throw new Error('PostgreSQL is not installed')
process.env['TEST_DATABASE_URL'] = postgres.url
process.env['RUNS'] = '1000000'
try {
  await import('./sorted-runs.ts')
} finally {
  await postgres.stop()
}
