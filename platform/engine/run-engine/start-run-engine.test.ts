import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { analyticsOutbox } from '#platform/ground/database/tables/analytics.ts'
import { runStatusChanges } from '#platform/ground/database/tables/runs.ts'
import {
  listTestCaptures,
  openTestRunEngine,
  submitTestRuns,
  untilEnded,
} from '#platform/program/testing/test-run-engine.ts'
import { readTestTranscript } from '#platform/program/testing/read-test-transcript.ts'
import { detectSandbox, unavailable } from '#platform/engine/sandbox/detect-sandbox.ts'
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

const threeTests = [
  { name: 'passes', command: ['true'] },
  { name: 'fails', command: ['sh', '-c', 'echo out; echo err >&2; exit 3'] },
  { name: 'is not there', command: ['no-such-program'] },
]

test.skipIf(!sandbox.status.available)(
  'a run executes setup, agent and tests, and is settled with all its measurements',
  async () => {
    const { db, services } = bench
    const { requestId, organizationId } = await submitTestRuns(db, {
      definition: {
        id: 'whole',
        name: 'Whole',
        files: [
          { dest: 'agent.sh', content: 'cat > answer.txt; echo "$ASSAY_VARIANT_ID $(cat $ASSAY_PROMPT_FILE) $MARK"' },
        ],
        setup: { commands: [['sh', '-c', 'echo ready > setup.txt']] },
        agents: [{ id: 'echoes', command: ['sh', 'agent.sh'], env: { MARK: 'marked' } }],
        prompts: [{ id: 'hello', text: 'say hello' }],
        tests: [...threeTests, { name: 'finds the answer', command: ['grep', 'say hello', 'answer.txt'] }],
      },
    })
    const engine = start()
    const [run] = await untilEnded(db, requestId)
    await engine.stop()

    expect(run).toMatchObject({
      status: 'completed',
      statusReason: null,
      attempt: 1,
      testsPassed: 2,
      testsFailed: 1,
      testsErrored: 1,
      timeBudgetSeconds: 1800,
      timePlanCapSeconds: 0,
      timeLimitHit: false,
      toolCalls: null,
      totalTokens: null,
      costUsd: null,
      turnCount: 1,
    })
    const captures = await listTestCaptures(db, run?.id ?? '')
    expect(captures.map(({ name, outcome, exitCode }) => [name, outcome, exitCode])).toEqual([
      ['passes', 'passed', 0],
      ['fails', 'failed', 3],
      ['is not there', 'errored', null],
      ['finds the answer', 'passed', 0],
    ])
    expect(captures[1]).toMatchObject({ stdoutTail: 'out\n', stderrTail: 'err\n' })
    expect(captures[2]?.stderrTail).toContain('no-such-program')
    const transcript = run && (await readTestTranscript(services, run, { limit: 10, includeReasoning: false }))
    expect(transcript?.turns.map((turn) => turn.text)).toEqual(['echoes~hello say hello marked'])
    const history = await db
      .select()
      .from(runStatusChanges)
      .where(eq(runStatusChanges.runId, run?.id ?? ''))
    expect(history.map((change) => change.status)).toEqual(['queued', 'running', 'completed'])
    expect(await db.select().from(analyticsOutbox)).toMatchObject([{ organizationId, runId: run?.id }])
  },
)

test('mock runs need no sandbox and have the same results every time', async () => {
  const definition = {
    id: 'mocked',
    name: 'Mocked',
    agents: [
      { id: 'a', preset: 'codex' },
      { id: 'b', command: ['x'] },
    ],
    tests: [...threeTests, ...Array.from({ length: 20 }, (_, index) => ({ name: `t${index}`, command: ['x'] }))],
  }
  const first = await submitTestRuns(bench.db, { definition, repeat: 2, mock: true })
  const second = await submitTestRuns(bench.db, { definition, repeat: 2, mock: true })
  const engine = start({ sandbox: unavailable('none here'), slots: 8 })
  const [ours, again] = [await untilEnded(bench.db, first.requestId), await untilEnded(bench.db, second.requestId)]
  await engine.stop()

  const facts = ({ status, testsPassed, testsFailed, toolCalls, inputTokens, costUsd, turnCount }: (typeof ours)[0]) =>
    JSON.stringify({ status, testsPassed, testsFailed, toolCalls, inputTokens, costUsd, turnCount })
  expect(ours.map(facts)).toEqual(again.map(facts))
  expect(new Set(ours.map(facts)).size).toBeGreaterThan(1)
  expect(ours.every((run) => run.status === 'completed' && run.totalTokens !== null && run.toolCalls !== null)).toBe(
    true,
  )
})

test('two workers share one queue, and every run ends once', async () => {
  const definition = { id: 'shared', name: 'Shared', agents: [{ id: 'a', command: ['x'] }], tests: threeTests }
  const { requestId } = await submitTestRuns(bench.db, { definition, repeat: 24, mock: true })
  const engines = ['one', 'two'].map((name) => start({ workFolder: `${bench.folder}/${name}`, slots: 6 }))
  const ended = await untilEnded(bench.db, requestId)
  await Promise.all(engines.map((engine) => engine.stop()))
  expect(ended.every((run) => run.status === 'completed' && run.attempt === 1)).toBe(true)
  expect(await bench.db.select().from(analyticsOutbox)).toHaveLength(24)
  expect(await bench.db.select().from(runStatusChanges)).toHaveLength(24 * 3)
})

const building = (command: string[]) => ({
  id: 'building',
  name: 'Building',
  agents: [{ id: 'a', command: ['x'] }],
  environments: ['one', 'two', 'three'].map((id) => ({ id, ci: { command } })),
  tests: threeTests,
})

test.skipIf(!sandbox.status.available)('builds leave a slot to runs that wait', async () => {
  await submitTestRuns(bench.db, { definition: building(['sleep', '600']) })
  const definition = { id: 'waits', name: 'Waits', agents: [{ id: 'a', command: ['x'] }], tests: threeTests }
  const { requestId } = await submitTestRuns(bench.db, { definition, mock: true })
  const engine = start({ slots: 2 })
  try {
    expect(await untilEnded(bench.db, requestId)).toMatchObject([{ status: 'completed' }])
  } finally {
    await engine.stop()
  }
})

test('a worker with one slot builds environments and executes their runs', async () => {
  const { requestId } = await submitTestRuns(bench.db, { definition: building(['x']), mock: true })
  const engine = start({ slots: 1 })
  const ended = await untilEnded(bench.db, requestId)
  await engine.stop()
  expect(ended.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed'])
})

test('without a sandbox, a real run ends as errored with the reason and never runs unprotected', async () => {
  const { requestId } = await submitTestRuns(bench.db, {
    definition: { id: 'real', name: 'Real', agents: [{ id: 'a', command: ['touch', '/tmp/x'] }], tests: threeTests },
  })
  const engine = start({ sandbox: unavailable('bubblewrap is not installed') })
  const [run] = await untilEnded(bench.db, requestId)
  await engine.stop()
  expect(run).toMatchObject({ status: 'errored', statusReason: 'bubblewrap is not installed', testsUnresolved: 3 })
})

type Beats = { agent?: object; tests?: object[]; more?: object }

/** Runs experiments with one agent each side by side. Returns the run and captured tests of each. */
async function runAll(experiments: Record<string, Beats>) {
  const submitted = await Promise.all(
    Object.entries(experiments).map(([id, { agent, tests, more }]) =>
      submitTestRuns(bench.db, {
        definition: { id, name: id, agents: [{ id: 'a', ...(agent ?? { command: ['true'] }) }], tests, ...more },
      }),
    ),
  )
  const engine = start({ slots: 10 })
  for (const { requestId } of submitted) await untilEnded(bench.db, requestId)
  await engine.stop()
  return submitted.map(async ({ requestId, runIds: [runId = ''] }) => {
    const [run] = await untilEnded(bench.db, requestId)
    return { ...run, captures: await listTestCaptures(bench.db, runId) }
  })
}

const shell = (script: string) => ({ command: ['sh', '-c', script] })

test.skipIf(!sandbox.status.available)('a failure before the tests ends a run as errored with the reason', async () => {
  const tests = [{ name: 'never ran', command: ['true'] }]
  const found = await runAll({
    setup: { tests, more: { setup: { commands: [['sh', '-c', 'echo broken; exit 4']] } } },
    missing: { tests, agent: { command: ['no-such-agent'] } },
    preset: { tests, agent: { preset: 'codex' } },
    secret: { tests, agent: { command: ['true'], env: { KEY: 'assay://secrets/openai' } } },
    unbuilt: { tests, more: { environments: [{ id: 'e', ci: { command: ['sh', '-c', 'echo no make; exit 5'] } }] } },
  })
  const [setup, missing, preset, secret, unbuilt] = await Promise.all(found)
  expect(setup?.statusReason).toBe('Setup command sh -c echo broken; exit 4 failed: exit code 4\nbroken')
  expect(missing?.statusReason).toMatch(/^The agent could not start: .*no-such-agent/)
  expect(preset?.statusReason).toBe(
    'codex has no key: give the model an apiKey, or the agent one of OPENAI_API_KEY, CODEX_API_KEY',
  )
  expect(secret?.statusReason).toBe('KEY needs the secret openai, which does not exist')
  expect(unbuilt?.statusReason).toBe('The build of environment e failed: exit code 5\nno make')
  for (const run of [setup, missing, preset, secret, unbuilt]) {
    expect(run).toMatchObject({ status: 'errored', testsUnresolved: 1, captures: [{ outcome: 'unresolved' }] })
  }
})

test.skipIf(!sandbox.status.available)(
  'a failure of the agent is reported on the run, and a failure of a test on the test',
  async () => {
    const junit = (path: string) => ({ report: { format: 'junit', path } })
    const found = await runAll({
      exits: { agent: shell('echo said; echo why >&2; exit 9'), tests: [{ name: 'still runs', command: ['true'] }] },
      hangs: { tests: [{ name: 'hangs', timeoutSeconds: 1, ...shell('echo started; sleep 60') }] },
      reports: {
        agent: shell(`mkdir out; echo "<testsuite><testcase name='x'/></testsuite>" > old.xml`),
        tests: [
          { name: 'absent', command: ['true'], ...junit('none.xml') },
          { name: 'forged', command: ['true'], ...junit('old.xml') },
          { name: 'linked', ...shell('ln -s /etc/passwd out/late.xml'), ...junit('out/late.xml') },
          { name: 'garbage', ...shell('echo "<html>" > g.xml'), ...junit('g.xml') },
        ],
      },
    })
    const [exits, hangs, reports] = await Promise.all(found)
    expect(exits).toMatchObject({
      status: 'completed',
      statusReason: 'The agent exited with code 9\nwhy',
      agentExitCode: 9,
      testsPassed: 1,
    })
    expect(hangs).toMatchObject({ status: 'completed', testsUnresolved: 1 })
    expect(hangs?.captures).toMatchObject([
      { outcome: 'unresolved', exitCode: null, stdoutTail: 'started\n', stderrTail: 'The test timed out after 1 s' },
    ])
    expect(reports?.captures.map(({ name, outcome, stderrTail }) => [name, outcome, stderrTail])).toEqual([
      ['absent', 'errored', 'The junit report could not be read: none.xml does not exist'],
      ['forged', 'errored', 'The junit report could not be read: old.xml does not exist'],
      ['linked', 'errored', 'The junit report could not be read: out/late.xml is not a plain file'],
      ['garbage', 'errored', expect.stringContaining('The junit report g.xml could not be read: line')],
    ])
  },
)
