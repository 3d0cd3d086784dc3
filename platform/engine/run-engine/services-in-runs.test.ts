import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { detectSandbox } from '#platform/engine/sandbox/detect-sandbox.ts'
import {
  listTestCaptures,
  openTestRunEngine,
  submitTestRuns,
  untilEnded,
} from '#platform/program/testing/test-run-engine.ts'
import { startRunEngine } from './start-run-engine.ts'

const sandbox = await detectSandbox()

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
let engine: ReturnType<typeof startRunEngine>
beforeAll(async () => {
  bench = await openTestRunEngine()
})
afterAll(() => bench.close())
beforeEach(() => {
  engine = startRunEngine(bench.services, { sandbox, workFolder: join(bench.folder, 'work') })
})
afterEach(async () => {
  await engine.stop()
  await bench.empty()
})

const server = `require('http').createServer((q, a) => (console.log(q.url), a.end('ok'))).listen(8123, '127.0.0.1')`
const ask = `fetch('http://127.0.0.1:8123/health').then((a) => a.text()).then((t) => process.exit(t === 'ok' ? 0 : 1), () => process.exit(1))`

/** The agent leaves a server, which prints to the agent's output, and a job that writes every second, in its own session. */
const definitionWith = (mark: string, more: object) => ({
  id: 'services',
  name: 'Services',
  files: [
    { dest: 'server.js', content: server },
    { dest: 'ask.js', content: ask },
    {
      dest: 'agent.sh',
      content: [
        'node server.js &',
        `setsid bash -c 'trap "" HUP TERM INT; (exec -a ${mark} sleep 300) & while :; do date +%s.%N > next; mv next tick; sleep 0.2; done' > /dev/null 2>&1 &`,
        'until node ask.js; do sleep 0.1; done',
        'echo "the agent is done"',
      ].join('\n'),
    },
  ],
  agents: [
    { id: 'solution', command: ['bash', 'agent.sh'] },
    { id: 'nothing', command: ['true'] },
  ],
  prompts: [{ id: 'p', text: 'Start a server.' }],
  tests: [
    { name: 'server', command: ['node', 'ask.js'] },
    { name: 'job', command: ['bash', '-c', 'one=$(cat tick); sleep 2; [ -n "$one" ] && [ "$one" != "$(cat tick)" ]'] },
    { name: 'server again', command: ['node', 'ask.js'] },
  ],
  ...more,
})

const processesWith = (mark: string) =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.startsWith(`${mark} `))

async function runBoth(more: object) {
  const mark = `mark-${randomUUID()}`
  const { requestId } = await submitTestRuns(bench.db, { definition: definitionWith(mark, more) })
  engine.wake()
  const ended = await untilEnded(bench.db, requestId)
  const of = (agent: string) => ended.find((run) => run.agent === agent)
  return { mark, solution: of('solution'), nothing: of('nothing') }
}

describe.skipIf(!sandbox.openWorld)(`services in runs (${sandbox.status.reason ?? sandbox.status.kind})`, () => {
  test('what the agent started is there for the tests, and nothing of it after the run', async () => {
    const { mark, solution, nothing } = await runBoth({})
    expect(solution).toMatchObject({ status: 'completed', statusReason: null, testsPassed: 3, testsFailed: 0 })
    expect(nothing).toMatchObject({ status: 'completed', testsPassed: 0, testsFailed: 3 })
    expect(processesWith(mark)).toEqual([])
  })

  test('with isolateTests no process of the agent is there for the tests', async () => {
    const { mark, solution } = await runBoth({ isolateTests: true })
    expect(solution).toMatchObject({ status: 'completed', testsPassed: 0, testsFailed: 3 })
    expect(processesWith(mark)).toEqual([])
  })

  test('a run that exceeds its time limit leaves no process', async () => {
    const mark = `mark-${randomUUID()}`
    const definition = definitionWith(mark, { limits: { maxTimeSeconds: 8 } })
    for (const file of definition.files) if (file.dest === 'agent.sh') file.content += '\nsleep 300'
    const { requestId } = await submitTestRuns(bench.db, { definition })
    engine.wake()
    const ended = await untilEnded(bench.db, requestId)
    expect(ended.find(({ agent }) => agent === 'solution')).toMatchObject({ timeLimitHit: true })
    expect(processesWith(mark)).toEqual([])
  })

  test('a test that finds a leftover process by its id can end it', async () => {
    const definition = {
      ...definitionWith('mark-none', {}),
      tests: [{ name: 'ends it', command: ['bash', '-c', 'pkill -f "^node server.js" && sleep 0.5 && ! node ask.js'] }],
      agents: [{ id: 'solution', command: ['bash', 'agent.sh'] }],
    }
    const { requestId } = await submitTestRuns(bench.db, { definition })
    engine.wake()
    const [run] = await untilEnded(bench.db, requestId)
    const [capture] = await listTestCaptures(bench.db, run?.id ?? '')
    expect(capture).toMatchObject({ outcome: 'passed' })
  })
})
