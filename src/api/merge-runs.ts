import type { RunList } from '#contract/run-list.ts'
import type { Run } from '#contract/runs.ts'

/** `end` is the last run of the page as first read. The next page starts after it, even if that run has moved. */
export type RunPage = RunList & { end?: Run }

/**
 * Merges the changes since its stamp into a page of GET /runs: removes runs that no longer match, updates changed
 * ones, and adds new ones in the list's order. Without changes it returns the page itself.
 */
export function mergeRuns(page: RunPage, news: RunList): RunPage {
  const { changes, ...rest } = news
  if (!changes) return news
  const replaced = new Set([...changes.removedIds, ...news.runs.map(({ id }) => id)])
  const end = page.end ?? page.runs.at(-1)
  // Runs after the end of a full page belong to the next one.
  const arrived = news.runs.filter((run) => !page.nextPageToken || !end || !isBelow(run, end))
  const changed = arrived.length > 0 || page.runs.some(({ id }) => replaced.has(id))
  const runs = changed ? [...page.runs.filter(({ id }) => !replaced.has(id)), ...arrived].toSorted(inOrder) : page.runs
  return { ...rest, runs, ...(page.nextPageToken && { nextPageToken: page.nextPageToken, ...(end && { end }) }) }
}

/** The order of GET /runs: newest submission first, then by id. */
const isBelow = (run: Run, other: Run) =>
  run.createdAt < other.createdAt || (run.createdAt === other.createdAt && run.runUuid < other.runUuid)

const inOrder = (a: Run, b: Run) => (isBelow(a, b) ? 1 : isBelow(b, a) ? -1 : 0)
