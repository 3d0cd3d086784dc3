// Which test files run where; `vitest.config.ts` makes a project of each list.

/** Mocked modules work only in a process where no other file has loaded the real ones. */
export const suitesWithMockedModules = [
  'BFF/session-removal.test.ts',
  'BFF/sessions-of-person.test.ts',
  'platform/queries/hostile-sql.test.ts',
  'platform/server/racing-limits.test.ts',
]

/** Tests that draw components in a document. */
export const suitesWithDocument = ['src/**/*.dom.test.{ts,tsx}']

/** Those of them that draw whole pages, for which a platform and a BFF are started. */
export const suitesWithPages = ['src/page-tests/*.dom.test.tsx']

/**
 * Where PostgreSQL is installed, all tests use it, and these run on the embedded database too. They prove what the two
 * could do differently. The programs that tests start (`platform-process.ts`) are embedded everywhere.
 */
export const suitesAboutTheDatabase = [
  // The schema: migrations, indexes, data folders of earlier releases. The other tests of migrations are embedded everywhere.
  'platform/database/database.test.ts',
  'platform/server/releases.test.ts',
  'platform/testing/test-database.test.ts',
  // Transactions, locks, conflicts and what happens when the database fails
  'platform/audit/audit.test.ts',
  'platform/budgets/budgets.test.ts',
  'platform/failures/outage.test.ts',
  'platform/notifications/feed-property.test.ts',
  'platform/reports/racing.test.ts',
  'platform/retention/sweep-retention.test.ts',
  'platform/secrets/secrets.test.ts',
  // The queue: claims, leases, retries, runs settled together
  'platform/run-queue/count-work.test.ts',
  'platform/run-queue/notify-finished-requests.test.ts',
  'platform/run-queue/queue.test.ts',
  'platform/run-queue/reclaim-lost-runs.test.ts',
  'platform/run-queue/settle-together.test.ts',
  'platform/run-queue/start-lease-watch.test.ts',
  // What changed: signals between sessions, and the order in which transactions become visible
  'platform/polling/after-a-crash.test.ts',
  'platform/polling/poll-requests.test.ts',
  'platform/projection/projection.test.ts',
  'platform/projection/rebuild.test.ts',
  // The order of text, search, JSON, large values, and what the database refuses
  'platform/experiments/experiments.test.ts',
  'platform/experiments/sorted-experiments.test.ts',
  'platform/runs/runs.test.ts',
  'platform/server/refusals.test.ts',
  'platform/transcripts/stored-transcripts.test.ts',
]

/** Tests that use analytics run behind ClickHouse's HTTP interface too. */
export const suitesOnClickhouse = [
  'platform/queries/**/*.test.ts',
  'platform/insights/queries/**/*.test.ts',
  'platform/charts/heatmap-summary.test.ts',
  'platform/charts/chart-runs.test.ts',
  'platform/insights/get-insight.test.ts',
  'platform/insights/create-insight.test.ts',
  'platform/projection/projection.test.ts',
  'platform/projection/refused-rows.test.ts',
]
