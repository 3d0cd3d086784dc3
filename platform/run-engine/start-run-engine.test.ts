import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { analyticsOutbox } from '#platform/analytics/tables.ts'
import { runStatusChanges } from '#platform/runs/tables.ts'
import { listTestCaptures, openRunEngineBench, submitTestRuns, untilEnded } from '#platform/testing/run-engine-bench.ts'
import { readTranscript } from '#platform/transcripts/read-transcript.ts'
import { detectSandbox, unavailable } from './sandbox/detect-sandbox.ts'
import { startRunEngine } from './start-run-engine.ts'

const sandbox = await detectSandbox()

let bench: Awaited<ReturnType<typeof openRunEngineBench>>
beforeEach(async () => {
  bench = await openRunEngineBench()
})
afterEach(() => bench.close())

const start = (options = {}) =>
  startRunEngine(bench.services, { sandbox, workFolder: `${bench.folder}/work`, slots: 4, ...options })

const threeTests = [
  { name: 'passes', command: ['true'] },
  { name: 'fails', command: ['sh', '-c', 'echo out; echo err >&2; exit 3'] },
  { name: 'is not there', command: ['no-such-program'] },
]

test.skipIf(!sandbox.status.available)(
  'a run goes through setup, agent and tests, and settles with all it measured',
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
    const transcript = run && (await readTranscript(services, run, { limit: 10, includeReasoning: false }))
    expect(transcript?.turns.map((turn) => turn.text)).toEqual(['echoes~hello say hello marked'])
    const history = await db
      .select()
      .from(runStatusChanges)
      .where(eq(runStatusChanges.runId, run?.id ?? ''))
    expect(history.map((change) => change.status)).toEqual(['queued', 'running', 'completed'])
    expect(await db.select().from(analyticsOutbox)).toMatchObject([{ organizationId, runId: run?.id }])
  },
)

test('mock runs need no sandbox and come out the same every time', async () => {
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

test('without a sandbox a real run is errored with the reason and never runs unsandboxed', async () => {
  const { requestId } = await submitTestRuns(bench.db, {
    definition: { id: 'real', name: 'Real', agents: [{ id: 'a', command: ['touch', '/tmp/x'] }], tests: threeTests },
  })
  const engine = start({ sandbox: unavailable('bubblewrap is not installed') })
  const [run] = await untilEnded(bench.db, requestId)
  await engine.stop()
  expect(run).toMatchObject({ status: 'errored', statusReason: 'bubblewrap is not installed', testsUnresolved: 3 })
})
