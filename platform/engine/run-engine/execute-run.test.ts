import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { noEgressSettings } from '#platform/ground/egress/egress-settings.ts'
import { builtInPrices } from '#platform/ground/models/model-prices.ts'
import { processStarter } from '#platform/ground/processes/process-starter.ts'
import { openTestRunEngine, submitTestRuns } from '#platform/program/testing/test-run-engine.ts'
import { claimRuns } from '#platform/queue/run-queue/claim-runs.ts'
import { pinnedLoader } from '#platform/engine/run-engine/plan/load-pinned.ts'
import { executeRun } from './execute-run.ts'
import { startModelGateway } from '#platform/engine/run-engine/models/start-model-gateway.ts'
import { traceReceivers } from '#platform/engine/run-engine/traces/open-traces.ts'
import { placesInSandbox } from '#platform/engine/images/run-place.ts'
import { detectSandbox, unavailable } from '#platform/engine/sandbox/detect-sandbox.ts'

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
beforeAll(async () => {
  bench = await openTestRunEngine()
})
afterAll(() => bench.close())

async function execute(definition: object, sandbox = unavailable('none here')) {
  await submitTestRuns(bench.db, { definition: { id: 'x', name: 'X', ...definition } })
  const [run] = await claimRuns(bench.db, { workerId: 'w', leaseSeconds: 60 }, 1)
  if (!run) throw new Error('nothing to claim')
  const { services } = bench
  const modelGateway = startModelGateway({
    db: services.db,
    prices: builtInPrices,
    addresses: {},
    checkAddress: async () => [],
    proxy: null,
  })
  const places = placesInSandbox(sandbox, undefined)
  const executor = {
    ...services,
    prices: builtInPrices,
    places,
    egress: noEgressSettings,
    modelGateway,
    openTraces: traceReceivers(services.db),
    loadPinned: pinnedLoader(bench.db),
    mockPauses: true,
  }
  const { signal } = new AbortController()
  return executeRun(executor, run, { signal, abandoned: signal, folder: join(bench.folder, run.id) })
}

test('a run that cannot start leaves no timer behind', async () => {
  const started = vi.spyOn(globalThis, 'setTimeout')
  const stopped = vi.spyOn(globalThis, 'clearTimeout')
  const maxTimeSeconds = 86_400
  const ending = await execute({ agents: [{ id: 'a', command: ['true'] }], limits: { maxTimeSeconds } })
  expect(ending).toMatchObject({ status: 'errored', statusReason: 'none here' })
  const budgets = started.mock.calls.flatMap(([, ms], at) =>
    ms === maxTimeSeconds * 1000 ? [started.mock.results[at]?.value] : [],
  )
  const cleared = new Set(stopped.mock.calls.map(([timer]) => timer))
  vi.restoreAllMocks()
  expect(budgets.filter((timer) => !cleared.has(timer))).toEqual([])
})

const sandbox = await detectSandbox()

test.skipIf(!sandbox.status.available)(
  'a run broken by its definition or by a setup command says why in plain words',
  async () => {
    const agents = [{ id: 'a', command: ['true'] }]
    const long = await execute({ agents: [{ id: 'a', command: ['true', 'x'.repeat(4_000_000)] }] }, sandbox)
    expect(long?.statusReason).toBe('The agent could not start: its command line is too long')
    const name = await execute({ agents, files: [{ dest: 'é'.repeat(200), content: '' }] }, sandbox)
    expect(name?.statusReason).toMatch(/could not be written \(ENAMETOOLONG\)$/)
    const red = { commands: [['sh', '-c', String.raw`printf 'first\n\033[31mnpm ERR!\033[0m 404\n'; false`]] }
    const printed = await execute({ agents, setup: red }, sandbox)
    expect(printed?.statusReason).toMatch(/ failed: exit code 1\nfirst\nnpm ERR! 404$/)
  },
)

test.skipIf(!sandbox.status.available)(
  'the prompt replaces what setup put in its place, and is never written through a link',
  async () => {
    const target = join(bench.folder, 'of-the-host.txt')
    const readsPrompt =
      'test -f "$ASSAY_PROMPT_FILE" && test ! -L "$ASSAY_PROMPT_FILE" && grep -qx Hello "$ASSAY_PROMPT_FILE"'
    const agents = [{ id: 'a', command: ['sh', '-c', readsPrompt] }]
    for (const trap of [
      `ln -s ${target} ~/assay-prompt.txt`,
      'mkfifo ~/assay-prompt.txt',
      'mkdir -p ~/assay-prompt.txt/x',
    ]) {
      const setup = { commands: [['sh', '-c', trap]] }
      const ending = await execute({ agents, setup, prompts: [{ id: 'p', text: 'Hello' }] }, sandbox)
      expect([trap, ending?.status, ending?.agentExitCode]).toEqual([trap, 'completed', 0])
    }
    expect(existsSync(target)).toBe(false)
  },
)

test.skipIf(!sandbox.status.available)(
  'a run whose content process the system kills ends as the fault of its worker',
  async () => {
    const agents = [{ id: 'a', command: ['sh', '-c', 'while echo x; do sleep 0.1; done'] }]
    const running = execute({ agents, limits: { maxTimeSeconds: 60 } }, sandbox)
    const over = new AbortController()
    void running.finally(() => over.abort())
    const { pid } = await processStarter()
    const find = () => promisify(execFile)('pgrep', ['-P', String(pid), '-f', 'content-main'])
    for (; !over.signal.aborted; await delay(100)) {
      const { stdout } = await find().catch(() => ({ stdout: '' }))
      for (const found of stdout.split('\n').filter(Boolean)) process.kill(Number(found), 'SIGKILL')
    }
    expect(await running).toMatchObject({
      status: 'errored',
      statusReason: expect.stringContaining('The worker lost the process that reads what the run wrote'),
      infrastructure: { cause: 'worker_failed', isTransient: true },
    })
  },
)
