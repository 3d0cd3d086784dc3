import type { PGlite } from '@electric-sql/pglite'

const everyMs = 10 * 60_000

/** What an earlier process knew of the tables is kept with them: nobody has to wait for it before the first answer. */
const firstAfterMs = 5000

/**
 * PGlite has no autovacuum: nobody else tells its planner how the tables have grown (without that a list of 50,000 runs
 * takes ten times as long), or takes back the space of rows that have changed. Returns how to stop.
 */
export function keepTidy(client: PGlite) {
  // One that fails says so and is tried again; the next is due in ten minutes anyway.
  const run = (statement: string) =>
    client.exec(statement).catch((error: unknown) => console.error('The database could not be tidied:', error))
  const first = setTimeout(() => void run('analyze'), firstAfterMs).unref()
  const timer = setInterval(() => void run('vacuum analyze'), everyMs).unref()
  return () => {
    clearTimeout(first)
    clearInterval(timer)
  }
}
