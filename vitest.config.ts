import { defineConfig } from 'vitest/config'

/** Mocked modules work only in a process where no other file has loaded the real ones. */
const suitesWithMockedModules = ['BFF/session-removal.test.ts', 'platform/queries/hostile-sql.test.ts']

/** Tests that draw components in a document. */
const suitesWithDocument = ['src/forms/use-form.test.tsx', 'src/url/use-query-state.test.tsx']

/** Tests that never use the state database, so running them again with TEST_DATABASE_URL would prove nothing new. */
const suitesWithoutState = [
  'platform/analytics/chdb/**',
  'platform/analytics/query-queue.test.ts',
  'platform/analytics/clickhouse/{clickhouse-analytics,read-address,statements}.test.ts',
  'platform/charts/published-charts.test.ts',
  'platform/credits/{billing-cycles,ledger,ledger-property}.test.ts',
  'platform/context/page-token.test.ts',
  'platform/import/terminal-bench/published-results.test.ts',
  'platform/models/**',
  'platform/publications/{coalesce,result-cache}.test.ts',
  'platform/queries/{documented-schema,hostile-sql,legitimate-sql,sql-without-bubblewrap}.test.ts',
  'platform/reports/stored-markdown.test.ts',
  'platform/run-engine/classify-test-aware.test.ts',
  'platform/run-engine/{plan/presets,sandbox,tests,workspace}/**',
  'platform/runs/guidance.test.ts',
  'platform/secrets/masking/**',
  'platform/transcripts/parsers/**',
]

const left = ['node_modules', 'dist', 'e2e', '.data', 'examples']

export default defineConfig({
  test: {
    environment: 'node',
    exclude: process.env['TEST_DATABASE_URL'] ? [...left, ...suitesWithoutState] : left,
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...suitesWithMockedModules, ...suitesWithDocument],
          // Loading the platform and a database again for each file takes longer than the tests.
          isolate: false,
          setupFiles: ['tools/leave-as-found.ts'],
        },
      },
      { extends: true, test: { name: 'apart', include: suitesWithMockedModules } },
      { extends: true, test: { name: 'document', include: suitesWithDocument, environment: 'happy-dom' } },
    ],
  },
})
