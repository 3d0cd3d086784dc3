import { defineConfig } from 'vitest/config'

import { findTestsWithout } from './tools/tests-without.mjs'

/** Mocked modules work only in a process where no other file has loaded the real ones. */
const suitesWithMockedModules = ['BFF/session-removal.test.ts', 'platform/queries/hostile-sql.test.ts']

/** Tests that draw components in a document. */
const suitesWithDocument = ['src/forms/use-form.test.tsx', 'src/url/use-query-state.test.tsx']

/** Tests that open a state database and say nothing about it. Running them again on PostgreSQL would prove nothing new. */
const suitesAboutOtherThings = [
  'platform/charts/published-charts.test.ts',
  'platform/credits/ledger-property.test.ts',
  'platform/import/terminal-bench/published-results.test.ts',
  'platform/queries/{documented-schema,hostile-sql,sql-without-bubblewrap}.test.ts',
  'platform/run-engine/{plan/presets,sandbox,tests,workspace}/**',
]

/** The second run, on PostgreSQL, leaves out what the first run has already proved. */
const alreadyProved = () => [...suitesAboutOtherThings, ...findTestsWithout('TEST_DATABASE_URL', 'platform')]

const left = ['node_modules', 'dist', 'e2e', '.data', 'examples']

export default defineConfig({
  test: {
    environment: 'node',
    exclude: process.env['TEST_DATABASE_URL'] ? [...left, ...alreadyProved()] : left,
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
