import { defineConfig } from 'vitest/config'

import { findTestsWithout } from './tools/tests-that-read.mjs'

/** Mocked modules work only in a process where no other file has loaded the real ones. */
const suitesWithMockedModules = [
  'BFF/session-removal.test.ts',
  'BFF/sessions-of-person.test.ts',
  'platform/server/racing-limits.test.ts',
]
const slowSuitesWithMockedModules = ['platform/queries/hostile-sql.test.ts']

/** Suites that take longest: `npm run check` leaves them to `npm test`. */
const slowSuites = [
  'deploy/image.test.ts',
  'platform/analytics/chdb/chdb-analytics.test.ts',
  'platform/analytics/clickhouse/clickhouse-analytics.test.ts',
  'platform/backup/backup.test.ts',
  'platform/bulk-actions/many-runs.test.ts',
  'platform/charts/chart-runs.test.ts',
  'platform/containers/{containers,hostile-containers}.test.ts',
  'platform/credits/run-credit.test.ts',
  'platform/database/prepared-statements.test.ts',
  'platform/demo/demo.test.ts',
  'platform/egress/egress-proxy.test.ts',
  'platform/fleet/fleet-on-slurm.test.ts',
  'platform/images/{hostile-images,image-access,images}.test.ts',
  'platform/import/tasks/run-tasks.test.ts',
  'platform/mail/deliver-mail.test.ts',
  'platform/notifications/feed-property.test.ts',
  'platform/projection/{projector-outage,wait-for-projection}.test.ts',
  'platform/queries/{legitimate-sql,sql-without-bubblewrap}.test.ts',
  'platform/reports/racing.test.ts',
  'platform/run-engine/{draining,engine-outage,examples,images-in-runs,start-run-engine,stopping}.test.ts',
  'platform/run-engine/models/model-runs.test.ts',
  'platform/run-engine/sandbox/limits.test.ts',
  'platform/run-engine/workspace/remove-folder.test.ts',
  'platform/run-queue/notify-finished-requests.test.ts',
  'platform/schedules/schedules.test.ts',
  'platform/server/{package-run,private-files,releases,restart,several-servers}.test.ts',
  'platform/webhooks/deliver.test.ts',
  'tools/build-servers.test.ts',
]

/** Tests that draw components in a document. */
const suitesWithDocument = [
  'src/features/reports/standalone-html.test.tsx',
  'src/forms/use-form.test.tsx',
  'src/url/use-query-state.test.tsx',
]

/** Tests that open a state database and say nothing about it. Running them again on PostgreSQL would prove nothing new. */
const suitesAboutOtherThings = [
  'platform/charts/published-charts.test.ts',
  'platform/containers/**',
  'platform/credits/ledger-property.test.ts',
  'platform/import/terminal-bench/published-results.test.ts',
  'platform/queries/{documented-schema,hostile-sql,sql-without-bubblewrap}.test.ts',
  'platform/run-engine/{containers-in-runs,examples,images-in-runs}.test.ts',
  'platform/run-engine/{plan/presets,sandbox,tests,workspace}/**',
]

/** The second run, on PostgreSQL, leaves out what the first run has already proved. */
const alreadyProved = () => [
  ...suitesAboutOtherThings,
  ...findTestsWithout('TEST_DATABASE_URL', 'platform/**/*.test.{ts,tsx}'),
]

const left = ['node_modules', 'dist', 'e2e', '.data', 'examples']

/** `npm run test:time` measures each file. */
const timed = process.env['TEST_TIME_FILE'] ? ['tools/time-test-file.ts'] : []

/** Loading the platform and a database again for each file takes longer than the tests. */
const together = {
  isolate: false,
  setupFiles: ['tools/strict-umask.ts', 'tools/leave-as-found.ts', ...timed],
}

export default defineConfig({
  test: {
    environment: 'node',
    exclude: process.env['TEST_DATABASE_URL'] ? [...left, ...alreadyProved()] : left,
    globalSetup: ['platform/testing/drop-databases.ts'],
    pool: 'forks',
    // Saves each process three seconds.
    execArgv: ['--import', new URL('./tools/resolve-once.mjs', import.meta.url).href],
    // Tests wait half of their time, for processes and engines, so four at once keep two processors busy.
    maxWorkers: Number(process.env['TEST_WORKERS'] ?? 4),
    // These limits end a test that hangs, however busy the machine is.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...suitesWithMockedModules, ...slowSuitesWithMockedModules, ...suitesWithDocument, ...slowSuites],
          ...together,
        },
      },
      { extends: true, test: { name: 'slow', include: slowSuites, ...together } },
      { extends: true, test: { name: 'apart', include: suitesWithMockedModules, setupFiles: timed } },
      { extends: true, test: { name: 'slow-apart', include: slowSuitesWithMockedModules, setupFiles: timed } },
      {
        extends: true,
        test: { name: 'document', include: suitesWithDocument, environment: 'happy-dom', setupFiles: timed },
      },
    ],
  },
})
