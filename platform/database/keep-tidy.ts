import type { PGlite } from '@electric-sql/pglite'

const everyMs = 10 * 60_000

/**
 * PGlite has no autovacuum: nobody else tells its planner how the tables have grown (without that a list of 50,000 runs
 * takes ten times as long), or takes back the space of rows that have changed. Returns how to stop.
 */
export async function keepTidy(client: PGlite) {
  await client.exec('analyze')
  const timer = setInterval(() => {
    // One that fails says so and is tried again; the next is due in ten minutes anyway.
    client.exec('vacuum analyze').catch((error: unknown) => console.error('The database could not be tidied:', error))
  }, everyMs).unref()
  return () => clearInterval(timer)
}
