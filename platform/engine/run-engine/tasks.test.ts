import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { cancelRunsOf } from '#platform/queue/run-queue/end-or-request-cancel.ts'
import { detectSandbox, unavailable } from '#platform/engine/sandbox/detect-sandbox.ts'
import {
  listTestCaptures,
  openTestRunEngine,
  submitTestRuns,
  untilEnded,
} from '#platform/program/testing/test-run-engine.ts'
import { startRunEngine } from './start-run-engine.ts'

const sandbox = await detectSandbox()

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
beforeAll(async () => {
  bench = await openTestRunEngine()
})
afterEach(() => bench.empty())
afterAll(() => bench.close())

const start = (options = {}) =>
  startRunEngine(bench.services, { sandbox, workFolder: `${bench.folder}/work`, slots: 4, ...options })

/** Two tasks in their own environments and a prompt that runs in both. */
const definition = {
  id: 'tasks',
  name: 'Tasks',
  agents: [{ id: 'lists', command: ['sh', '-c', 'ls > seen.txt; cat log.txt >> seen.txt'] }],
  environments: [{ id: 'one' }, { id: 'two' }],
  files: [{ dest: 'shared.txt', content: 'shared' }],
  setup: { commands: [['sh', '-c', 'echo shared >> log.txt']] },
  tests: [{ name: 'has the shared file', command: ['grep', '-x', 'shared.txt', 'seen.txt'] }],
  limits: { maxTimeSeconds: 60 },
  prompts: [
    { id: 'plain', text: 'Look.' },
    ...['one', 'two'].map((id) => ({
      id,
      text: 'Look.',
      environment: id,
      files: [{ dest: 'task.txt', content: id }],
      setup: { commands: [['sh', '-c', `echo ${id} >> log.txt`]] },
      tests: [
        { name: 'has its own file', command: ['grep', '-x', id, 'task.txt'] },
        {
          name: `${id} alone`,
          files: [{ dest: 'wanted.txt', content: `log.txt\nshared.txt\ntask.txt\nshared\n${id}\n` }],
          command: ['sh', '-c', 'grep -vx seen.txt seen.txt | cmp - wanted.txt'],
        },
      ],
      limits: { maxTimeSeconds: id === 'one' ? 90 : 120 },
    })),
  ],
}

const ranTests = async (runId: string) => {
  const captures = await listTestCaptures(bench.db, runId)
  return captures.map(({ name, outcome }) => `${name}: ${outcome}`)
}

const wanted = {
  'lists~one~plain': { timeBudgetSeconds: 60, tests: ['has the shared file'] },
  'lists~two~plain': { timeBudgetSeconds: 60, tests: ['has the shared file'] },
  'lists~one~one': { timeBudgetSeconds: 90, tests: ['has the shared file', 'has its own file', 'one alone'] },
  'lists~two~two': { timeBudgetSeconds: 120, tests: ['has the shared file', 'has its own file', 'two alone'] },
}

const testsWith = (outcome: string) =>
  Object.fromEntries(
    Object.entries(wanted).map(([variantId, { tests }]) => [variantId, tests.map((name) => `${name}: ${outcome}`)]),
  )

describe('runs of prompts with their own files, setup, tests and limits', () => {
  test.skipIf(!sandbox.status.available)('each run has what the experiment and its own prompt define', async () => {
    const { requestId } = await submitTestRuns(bench.db, { definition })
    const engine = start()
    const runs = await untilEnded(bench.db, requestId)
    await engine.stop()
    expect(Object.fromEntries(runs.map((run) => [run.variantId, run.timeBudgetSeconds]))).toEqual(
      Object.fromEntries(Object.entries(wanted).map(([id, { timeBudgetSeconds }]) => [id, timeBudgetSeconds])),
    )
    const tests = await Promise.all(runs.map(async (run) => [run.variantId, await ranTests(run.id)] as const))
    expect(Object.fromEntries(tests)).toEqual(testsWith('passed'))
  })

  test('a mock run has the tests of its prompt', async () => {
    const { requestId } = await submitTestRuns(bench.db, { definition, mock: true })
    const engine = start({ sandbox: unavailable('none here') })
    const runs = await untilEnded(bench.db, requestId)
    await engine.stop()
    const names = runs.map(async (run) => {
      const captures = await listTestCaptures(bench.db, run.id)
      return [run.variantId, captures.map(({ name }) => name)] as const
    })
    expect(Object.fromEntries(await Promise.all(names))).toEqual(
      Object.fromEntries(Object.entries(wanted).map(([id, { tests }]) => [id, tests])),
    )
  })

  test('a run that is canceled before it starts has the tests of its prompt, all unresolved', async () => {
    const { requestId } = await submitTestRuns(bench.db, { definition })
    await bench.db.transaction((tx) => cancelRunsOf(tx, { requestId, runIds: undefined }))
    const runs = await untilEnded(bench.db, requestId)
    expect(runs.map((run) => run.testsUnresolved).sort()).toEqual([1, 1, 3, 3])
    const tests = await Promise.all(runs.map(async (run) => [run.variantId, await ranTests(run.id)] as const))
    expect(Object.fromEntries(tests)).toEqual(testsWith('unresolved'))
  })
})

test.skipIf(!sandbox.status.available)('an environment is built with the files of its only prompt', async () => {
  const [own] = definition.prompts.slice(1)
  const built = {
    ...definition,
    environments: [{ id: 'one', ci: { command: ['grep', '-x', 'one', 'task.txt'] } }],
    prompts: [own],
  }
  const { requestId } = await submitTestRuns(bench.db, { definition: built })
  const engine = start()
  const [run] = await untilEnded(bench.db, requestId)
  await engine.stop()
  expect(run).toMatchObject({ status: 'completed', testsPassed: 3 })
})
