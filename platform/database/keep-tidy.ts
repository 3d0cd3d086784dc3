import type { PGlite } from '@electric-sql/pglite'

const everyMs = 10 * 60_000

/** The first run can wait, because the planner's statistics of an earlier process are stored with the tables. */
const firstAfterMs = 5000

/**
 * PGlite has no autovacuum. This updates the planner's statistics (without them a list of 50,000 runs takes ten times
 * as long) and frees the space of changed rows. Returns a stop function.
 */
export function keepTidy(client: PGlite) {
  // A failure is logged; the next attempt is due in ten minutes anyway.
  const run = (statement: string) =>
    client.exec(statement).catch((error: unknown) => console.error('The database could not be tidied:', error))
  const first = setTimeout(() => void run('analyze'), firstAfterMs).unref()
  const timer = setInterval(() => void run('vacuum analyze'), everyMs).unref()
  return () => {
    clearTimeout(first)
    clearInterval(timer)
  }
}
