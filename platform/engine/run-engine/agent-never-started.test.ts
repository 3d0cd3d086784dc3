import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { detectSandbox } from '#platform/engine/sandbox/detect-sandbox.ts'
import { openTestRunEngine, submitTestRuns, untilEnded } from '#platform/program/testing/test-run-engine.ts'
import { startRunEngine } from './start-run-engine.ts'

const sandbox = await detectSandbox()
const withSandbox = test.skipIf(!sandbox.status.available)

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
let engine: ReturnType<typeof startRunEngine>
beforeAll(async () => {
  bench = await openTestRunEngine()
  engine = startRunEngine(bench.services, { sandbox, workFolder: join(bench.folder, 'work') })
})
afterEach(() => bench.empty())
afterAll(async () => {
  await engine.stop()
  await bench.close()
})

const bash = (script: string) => ['bash', '-c', script]

const endOf = async (more: object) => {
  const definition = {
    id: 'unstarted',
    name: 'Unstarted',
    agents: [{ id: 'a', command: ['true'] }],
    prompts: [{ id: 'p', text: 'Go.' }],
    tests: [{ name: 't', command: ['true'] }],
    limits: { retries: 2 },
    ...more,
  }
  const { requestId } = await submitTestRuns(bench.db, { definition })
  engine.wake()
  const [run] = await untilEnded(bench.db, requestId)
  return run
}

const hindrances = [
  ['a setup command that fails', { setup: { commands: [bash('echo no >&2; exit 4')] } }, 'setup_failed', 'exit code 4'],
  [
    'a setup command that takes all the time',
    { setup: { commands: [bash('sleep 60')] }, limits: { maxTimeSeconds: 1 } },
    'setup_failed',
    'Time limit of 1 s reached',
  ],
  [
    'a setup command that does not exist',
    { setup: { commands: [['assay-no-such-program']] } },
    'setup_failed',
    'assay-no-such-program',
  ],
  [
    'a failing build of its environment',
    { environments: [{ id: 'e', ci: { command: bash('exit 5') } }] },
    'setup_failed',
    'exit code 5',
  ],
  [
    'an agent that does not exist',
    { agents: [{ id: 'a', command: ['assay-no-such-agent'] }] },
    'agent_not_started',
    'The agent could not start',
  ],
] as const

withSandbox.each(hindrances)(
  '%s: the run is left out with its cause, and not tried again',
  async (_, more, cause, reason) => {
    const run = await endOf(more)
    expect(run).toMatchObject({ status: 'errored', infrastructureCause: cause, losses: 0 })
    expect(run?.statusReason).toContain(reason)
  },
)

const endings = [
  ['exits at once with code 127', { agents: [{ id: 'a', command: bash('assay-no-such-program') }] }],
  ['takes all the time', { agents: [{ id: 'a', command: bash('sleep 60') }], limits: { maxTimeSeconds: 1 } }],
  ['is killed by a signal', { agents: [{ id: 'a', command: bash('kill -SEGV $$') }] }],
] as const

withSandbox.each(endings)('an agent that %s has started, so its run counts', async (_, more) => {
  expect(await endOf(more)).toMatchObject({ infrastructureCause: null })
})
