// `npm test`: every check, the fastest to fail first. The last line has the number of tests.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

import { ensureBrowser } from './browser.mjs'
import { ensureBubblewrap, ensureImageTools } from './bubblewrap.mjs'
import { compileCache, ensureInstalled, root } from './installed.mjs'
import { startThrowawayPostgres } from './postgres.mjs'
import { addCounts, readPlaywrightCounts, readVitestCounts } from './test-counts.mjs'

const reports = mkdtempSync(join(tmpdir(), 'assay-reports-'))
const binaries = [join(root, 'node_modules/.bin'), join(root, 'node_modules/node/bin')]
const path = [...binaries, process.env.PATH].join(delimiter)

/** For a step that hangs. The longest takes less than half of this on two quiet cores. */
const stepLimitMs = 45 * 60_000

const vitestReport = (name) => ['--reporter=default', '--reporter=json', `--outputFile.json=${join(reports, name)}`]

/** Tests that use analytics; the hostile and the legitimate statements are in platform/queries. */
const suitesOnClickhouse = [
  'platform/queries',
  'platform/insights/queries',
  'platform/charts/heatmap-summary.test.ts',
  'platform/charts/chart-runs.test.ts',
  'platform/insights/get-insight.test.ts',
  'platform/insights/create-insight.test.ts',
  'platform/projection/projection.test.ts',
  'platform/projection/refused-rows.test.ts',
]

/** Each check with its command, or a function that runs it, and the file with its counts. */
const steps = [
  { title: 'types', command: ['tsc', '--noEmit'] },
  { title: 'lint', command: ['oxlint', '--deny-warnings'] },
  { title: 'format', command: ['oxfmt', '--check'] },
  { title: 'dead code', command: ['knip'] },
  { title: 'paths named in documents', command: ['node', 'tools/check-doc-paths.mjs'] },
  {
    title: 'unit and integration',
    command: ['vitest', 'run', ...vitestReport('unit.json')],
    counts: () => readVitestCounts(join(reports, 'unit.json')),
  },
  {
    title: 'integration on PostgreSQL',
    run: runOnPostgres,
    counts: () => readVitestCounts(join(reports, 'postgres.json')),
  },
  {
    title: 'insights on ClickHouse',
    command: ['vitest', 'run', ...suitesOnClickhouse, ...vitestReport('clickhouse.json')],
    environment: { TEST_CLICKHOUSE: '1' },
    counts: () => readVitestCounts(join(reports, 'clickhouse.json')),
  },
  { title: 'build', command: ['node', 'tools/build-app.mjs'] },
  {
    title: 'end to end',
    // Decision 068: a story that passes only at its second try is printed as flaky.
    command: ['playwright', 'test', '--retries=1', '--reporter=list,json'],
    environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'e2e.json') },
    counts: () => readPlaywrightCounts(join(reports, 'e2e.json')),
  },
]

let current
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stopCurrent(signal))

try {
  ensureInstalled()
  ensureBubblewrap()
  ensureImageTools()
  ensureBrowser()
  process.exitCode = await runSteps()
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
} finally {
  rmSync(reports, { recursive: true, force: true })
}

async function runSteps() {
  let total = { passed: 0, failed: 0 }
  let exitCode = 0
  for (const { title, command, run, environment, counts } of steps) {
    const startedAt = Date.now()
    process.stdout.write(`\n── ${title}\n`)
    exitCode = await (run ? run() : runProgram(command, environment))
    process.stdout.write(
      `── ${title}: ${exitCode === 0 ? 'ok' : 'FAILED'}, ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`,
    )
    total = addCounts(total, counts?.())
    if (exitCode !== 0) break
  }
  // A check that is not a test (types, lint…) counts as one failure.
  if (exitCode !== 0 && total.failed === 0) total.failed = 1
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`)
  return exitCode === 0 && total.failed === 0 ? 0 : 1
}

async function runOnPostgres() {
  const postgres = await startThrowawayPostgres()
  if (!postgres) {
    process.stdout.write('skipped: PostgreSQL is not installed\n')
    return 0
  }
  try {
    const command = ['vitest', 'run', 'platform', ...vitestReport('postgres.json')]
    return await runProgram(command, { TEST_DATABASE_URL: postgres.url })
  } finally {
    await postgres.stop()
  }
}

/** A test that blocks its process cannot be stopped by its own time limit. */
function runProgram([program, ...flags], environment = {}) {
  return new Promise((resolve, reject) => {
    const env = { NODE_COMPILE_CACHE: compileCache, ...process.env, ...environment, PATH: path }
    current = spawn(program, flags, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'], detached: true })
    const tooLong = setTimeout(() => stopCurrent('SIGKILL'), stepLimitMs)
    current.once('error', reject)
    current.once('exit', (code, signal) => {
      clearTimeout(tooLong)
      if (signal) process.stdout.write(`stopped by ${signal} after at most ${stepLimitMs / 60_000} minutes\n`)
      resolve(code ?? 1)
    })
  })
}

/** The runner with its workers, which form one process group. */
function stopCurrent(signal) {
  if (current?.exitCode === null && current.signalCode === null) process.kill(-current.pid, signal)
}
