// Which test files run where; `vitest.config.ts` makes a project of each list.

/** Mocked modules work only in a process where no other file has loaded the real ones. */
export const suitesWithMockedModules = [
  'platform/analysis/queries/hostile-sql.test.ts',
  'platform/program/server/racing-limits.test.ts',
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
  'platform/ground/database/database.test.ts',
  'platform/program/server/releases.test.ts',
  'platform/program/testing/test-database.test.ts',
  // Transactions, locks, conflicts and what happens when the database fails
  'platform/people/audit/audit.test.ts',
  'platform/inputs/budgets/budgets.test.ts',
  'platform/ground/failures/outage.test.ts',
  'platform/people/notifications/feed-property.test.ts',
  'platform/results/reports/racing.test.ts',
  'platform/results/retention/sweep-retention.test.ts',
  'platform/inputs/secrets/secrets.test.ts',
  // The queue: claims, leases, retries, runs settled together
  'platform/queue/run-queue/count-work.test.ts',
  'platform/queue/run-queue/notify-finished-requests.test.ts',
  'platform/queue/run-queue/queue.test.ts',
  'platform/queue/run-queue/reclaim-lost-runs.test.ts',
  'platform/queue/run-queue/settle-together.test.ts',
  'platform/queue/run-queue/start-lease-watch.test.ts',
  'platform/queue/runs/queue-submission.test.ts',
  // What changed: signals between sessions, and the order in which transactions become visible
  'platform/ground/polling/after-a-crash.test.ts',
  'platform/ground/polling/poll-requests.test.ts',
  'platform/analysis/projection/projection.test.ts',
  'platform/analysis/projection/rebuild.test.ts',
  // The order of text, search, JSON, large values, and what the database refuses
  'platform/inputs/experiments/experiments.test.ts',
  'platform/program/exports/round-trip.test.ts',
  'platform/inputs/experiments/sorted-experiments.test.ts',
  'platform/queue/runs/runs.test.ts',
  'platform/program/server/refusals.test.ts',
]

/** Tests that use analytics run behind ClickHouse's HTTP interface too. */
export const suitesOnClickhouse = [
  'platform/analysis/queries/**/*.test.ts',
  'platform/results/insights/queries/**/*.test.ts',
  'platform/analysis/charts/heatmap-summary.test.ts',
  'platform/analysis/charts/chart-runs.test.ts',
  'platform/analysis/partings/partings.test.ts',
  'platform/results/insights/get-insight.test.ts',
  'platform/results/insights/create-insight.test.ts',
  'platform/analysis/projection/projection.test.ts',
  'platform/analysis/projection/refused-rows.test.ts',
]
