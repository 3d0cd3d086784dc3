import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

import {
  suitesAboutTheDatabase,
  suitesOnClickhouse,
  suitesWithDocument,
  suitesWithMockedModules,
  suitesWithPages,
} from './tools/test-suites.mjs'

const all = ['**/*.test.{ts,tsx}']
const left = ['node_modules', 'dist', 'e2e', '.data', 'examples']

/** `npm run test:time` measures each file. */
const timed = process.env['TEST_TIME_FILE'] ? ['tools/time-test-file.ts'] : []

/** Loading the platform and a database again for each file takes longer than the tests. */
const together = {
  isolate: false,
  setupFiles: ['tools/strict-umask.ts', 'tools/leave-as-found.ts', ...timed],
}

const project = (name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, ...test },
})

/** Set by `npm test`. Otherwise a file runs once, on the engines that TEST_DATABASE_URL and TEST_CLICKHOUSE choose. */
const isEveryEngine = process.env['TEST_EVERY_ENGINE'] === '1'

const onClickhouse = { env: { TEST_CLICKHOUSE: '1' } }

/** The suites about an engine that the first projects leave out, once more. */
const onOtherEngines = [
  project('clickhouse', {
    include: suitesOnClickhouse,
    exclude: suitesWithMockedModules,
    ...onClickhouse,
    ...together,
  }),
  project('clickhouse-apart', {
    include: suitesWithMockedModules.filter((file) => file.startsWith('platform/analysis/queries/')),
    ...onClickhouse,
    setupFiles: timed,
  }),
  ...(process.env['TEST_DATABASE_URL']
    ? [project('embedded', { include: suitesAboutTheDatabase, env: { TEST_DATABASE_URL: '' }, ...together })]
    : []),
]

export default defineConfig({
  test: {
    environment: 'node',
    exclude: left,
    globalSetup: ['platform/program/testing/drop-databases.ts'],
    pool: 'forks',
    // Saves each process three seconds.
    execArgv: ['--import', new URL('./tools/resolve-once.mjs', import.meta.url).href],
    // Tests start engines and other processes, so three at once keep two processors busy.
    maxWorkers: Number(process.env['TEST_WORKERS'] ?? 3),
    // These limits end a test that hangs, however busy the machine is.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      project('together', { include: all, exclude: [...suitesWithMockedModules, ...suitesWithDocument], ...together }),
      project('apart', { include: suitesWithMockedModules, setupFiles: timed }),
      project('document', {
        include: suitesWithDocument,
        exclude: suitesWithPages,
        environment: 'happy-dom',
        setupFiles: timed,
      }),
      project('pages', {
        include: suitesWithPages,
        environment: 'happy-dom',
        globalSetup: ['tools/serve-page-tests.ts'],
        setupFiles: timed,
      }),
      ...(isEveryEngine ? onOtherEngines : []),
    ],
  },
})
