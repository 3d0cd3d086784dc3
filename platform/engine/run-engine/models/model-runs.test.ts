import { join } from 'node:path'

import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { modelCalls } from '#platform/ground/database/tables/model-calls.ts'
import { runRequests, runs } from '#platform/ground/database/tables/runs.ts'
import { recordModelCalls } from '#platform/queue/model-calls/record-model-calls.ts'
import { cancelRunsOf } from '#platform/queue/run-queue/end-or-request-cancel.ts'
import { detectSandbox } from '#platform/engine/sandbox/detect-sandbox.ts'
import type { Sandbox } from '#platform/engine/sandbox/sandbox.ts'
import { type EngineSettings, startRunEngine } from '#platform/engine/run-engine/start-run-engine.ts'
import { eventsOf, json, startScriptedProvider } from '#platform/program/testing/scripted-provider.ts'
import { openTestRunEngine, submitTestRuns, untilEnded, waitUntil } from '#platform/program/testing/test-run-engine.ts'

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
beforeAll(async () => {
  bench = await openTestRunEngine()
  provider = await startScriptedProvider()
})
afterEach(() => bench.empty())
afterAll(async () => {
  await provider.close()
  await bench.close()
})

const sandbox = await detectSandbox()
const withSandbox = test.skipIf(!sandbox.status.available)

const model = 'claude-sonnet-4-5'
const usage = { input_tokens: 1000, output_tokens: 100 }
const price = (1000 * 3 + 100 * 15) / 1e6
const message = { type: 'message', model, content: [{ type: 'text', text: 'Hello' }], usage }

/** Calls the model with `fetch` and its token. */
const prelude = `
  const ask = (body = {}, token = process.env.ANTHROPIC_API_KEY) => fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', {
    method: 'POST',
    headers: { 'x-api-key': token },
    body: JSON.stringify({ model: '${model}', max_tokens: 100, messages: [], ...body }),
  })`

const definition = (script: string, more: object = {}) => ({
  id: 'calls',
  name: 'Calls',
  agents: [{ id: 'a', command: ['node', '--input-type=module', '-e', `${prelude}\n${script}`] }],
  models: [{ id: model, apiKey: 'sk-own-0123456789abcdef' }],
  tests: [{ name: 'ran', command: ['true'] }],
  ...more,
})

type Options = Partial<EngineSettings> & { sandbox?: Sandbox }

const startEngine = (options: Options = {}) =>
  startRunEngine(bench.services, {
    sandbox,
    workFolder: join(bench.folder, 'work'),
    slots: 4,
    providerAddresses: { anthropic: provider.url },
    ...options,
  })

type More = { repeat?: number; options?: Options; maxCostUsd?: number }

async function runAll(document: object, { repeat = 1, options, maxCostUsd }: More = {}) {
  const { requestId } = await submitTestRuns(bench.db, { definition: document, repeat })
  if (maxCostUsd !== undefined)
    await bench.db.update(runRequests).set({ maxCostUsd }).where(eq(runRequests.id, requestId))
  const engine = startEngine(options)
  const ended = await untilEnded(bench.db, requestId)
  await engine.stop()
  return ended
}

const callsOf = (runId: string) =>
  bench.db.select().from(modelCalls).where(eq(modelCalls.runId, runId)).orderBy(asc(modelCalls.seq))

withSandbox('a run without network calls its model, and the run has the measured tokens and cost', async () => {
  provider.answers((_, response) => json(response, message))
  const [run] = await runAll(definition('process.exit((await ask()).status === 200 ? 0 : 1)'))
  expect(run).toMatchObject({ status: 'completed', statusReason: null, testsPassed: 1, modelCallCount: 1 })
  expect(run).toMatchObject({
    inputTokens: 1000,
    outputTokens: 100,
    totalTokens: 1100,
    costUsd: expect.closeTo(price, 12),
  })
  expect(provider.received[0]?.headers['x-api-key']).toBe('sk-own-0123456789abcdef')
  expect(await callsOf(run?.id ?? '')).toMatchObject([
    { seq: 1, attempt: 1, status: 200, costUsd: expect.closeTo(price, 12) },
  ])
})

withSandbox('a run’s token opens no other run’s gateway, not even at the same time', async () => {
  // The answers pass the token of the first run to the second.
  let first: string | null = null
  provider.answers(({ body }, response) => {
    const { metadata } = JSON.parse(String(body)) as { metadata: string }
    const other = first === null || first === metadata ? null : first
    first ??= metadata
    json(response, { ...message, other })
  })
  const script = `
    const mine = process.env.ANTHROPIC_API_KEY
    for (let tries = 0; tries < 60; tries += 1) {
      const { other } = await (await ask({ metadata: [...mine].reverse().join('') })).json()
      if (other) {
        const stolen = await ask({}, [...other].reverse().join(''))
        process.exit(stolen.status === 401 ? 7 : 8)
      }
      await new Promise((done) => setTimeout(done, 30))
      if (tries === 59) process.exit(9)
    }`
  const ended = await runAll(definition(script), { repeat: 2 })
  expect(ended.map(({ agentExitCode }) => agentExitCode).sort()).toEqual([7, 9])
})

withSandbox('a run that reaches its cost limit ends as errored with the reason, and its tests do not run', async () => {
  provider.answers((_, response) => json(response, message))
  const script =
    'for (;;) { const response = await ask(); if (response.status === 402) await new Promise(() => setInterval(() => {}, 1000)) }'
  const [run] = await runAll(definition(script, { limits: { maxCostUsd: price * 2.5 } }))
  expect(run).toMatchObject({
    status: 'errored',
    statusReason: 'Cost limit of $0.01125 reached: the model calls cost $0.0135',
    costLimitUsd: price * 2.5,
    costLimitHit: 'run',
    modelCallCount: 3,
    testsUnresolved: 1,
    timeLimitHit: false,
  })
  expect((await callsOf(run?.id ?? '')).map(({ status }) => status)).toEqual([200, 200, 200, 402])
})

withSandbox(
  'the runs of a submission share its budget, and runs that start after its end are not prepared',
  async () => {
    provider.answers((_, response) => json(response, message))
    const script = 'for (let calls = 0; calls < 2; calls += 1) if ((await ask()).status !== 200) process.exit(1)'
    const ended = await runAll(definition(script), { repeat: 6, maxCostUsd: price * 3.5, options: { slots: 2 } })
    const total = ended.reduce((sum, { measuredCostUsd }) => sum + (measuredCostUsd ?? 0), 0)
    expect(total).toBeCloseTo(price * 4, 9)
    const stopped = ended.filter(({ status }) => status === 'errored')
    expect(stopped.length).toBeGreaterThanOrEqual(4)
    const reason = /^Budget of the submission reached: the model calls of its runs cost \$0\.01\d+ of \$0\.01575$/
    for (const { statusReason, costLimitHit, costLimitUsd } of stopped) {
      expect([costLimitHit, costLimitUsd]).toEqual(['request', price * 3.5])
      expect(statusReason).toMatch(reason)
    }
  },
)

withSandbox(
  'an agent that fails because its provider failed ends as errored, with the provider as the reason',
  async () => {
    provider.answers((_, response) => json(response, { type: 'error', error: { message: 'Overloaded' } }, 529))
    const script = 'await ask(); console.error("no answer"); process.exit(1)'
    const [run] = await runAll(definition(script, { limits: { retries: 0 } }))
    expect(run).toMatchObject({
      status: 'errored',
      infrastructureCause: 'provider_outage',
      statusReason: 'The model provider failed, not the agent: Overloaded\nThe agent exited with code 1\nno answer',
      testsUnresolved: 1,
      agentExitCode: 1,
    })
    provider.answers((_, response) => json(response, { type: 'error', error: { message: 'Overloaded' } }, 529))
    const [survivor] = await runAll({ ...definition('await ask()'), id: 'survives' })
    expect(survivor).toMatchObject({ status: 'completed', testsPassed: 1 })
  },
)

const begun = eventsOf([
  { type: 'message_start', message: { model, usage: { input_tokens: 1000, output_tokens: 1 } } },
  { type: 'content_block_delta', delta: { type: 'text_delta', text: 'x'.repeat(400) } },
]).join('')

withSandbox('a canceled run is charged for the part of a stream that arrived', async () => {
  provider.answers((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(begun)
  })
  const { requestId, runIds } = await submitTestRuns(bench.db, {
    definition: definition('await (await ask({ stream: true })).text()'),
  })
  const engine = startEngine()
  await waitUntil(async () => provider.received.length === 1, 'the call')
  await bench.db.transaction((tx) => cancelRunsOf(tx, { requestId }))
  engine.wake()
  const [run] = await untilEnded(bench.db, requestId)
  await engine.stop()
  expect(run).toMatchObject({ status: 'canceled', modelCallCount: 1, hasEstimatedTokens: true, inputTokens: 1000 })
  expect(await callsOf(runIds[0] ?? '')).toMatchObject([{ tokenSource: 'estimated' }])
})

withSandbox('a run whose provider fails is tried again, and the cost of the earlier attempt stays', async () => {
  let calls = 0
  provider.answers((_, response) => {
    calls += 1
    if (calls === 2) json(response, { type: 'error', error: { message: 'Overloaded' } }, 529)
    else json(response, message)
  })
  const script = 'await ask(); process.exit((await ask()).status === 200 ? 0 : 1)'
  const { requestId } = await submitTestRuns(bench.db, { definition: definition(script) })
  const engine = startEngine()
  const isWaiting = async () => {
    const [run] = await bench.db.select().from(runs).where(eq(runs.requestId, requestId))
    return run?.claimableAt !== null
  }
  await waitUntil(isWaiting, 'the end of the first attempt')
  await bench.db.update(runs).set({ claimableAt: null })
  const [run] = await untilEnded(bench.db, requestId)
  await engine.stop()
  expect(run).toMatchObject({ status: 'completed', attempt: 2, infrastructureCause: null, modelCallCount: 2 })
  expect(run?.earlierCostUsd).toBeCloseTo(price, 12)
})

withSandbox(
  'a 429 for the definition’s own key is not infrastructure: the run is not repeated, and it counts',
  async () => {
    provider.answers((_, response) => json(response, { type: 'error', error: { message: 'Quota used up' } }, 429))
    const [run] = await runAll(definition('await ask(); process.exit(1)', { limits: { retries: 2 } }))
    expect(run).toMatchObject({
      status: 'errored',
      attempt: 1,
      infrastructureCause: null,
      statusReason: expect.stringContaining('with the key or the address of this experiment: Quota used up'),
    })
  },
)

withSandbox('an address of the definition’s own is checked before anything is sent there', async () => {
  provider.answers((_, response) => json(response, message))
  const env = { ANTHROPIC_BASE_URL: `${provider.url.replace('127.0.0.1', 'localhost')}/` }
  const script = 'const response = await ask(); console.error(await response.text()); process.exit(3)'
  const [run] = await runAll({ ...definition(script), models: [{ id: model, apiKey: 'sk-own', env }] })
  expect(run?.statusReason).toContain('with the key or the address of this experiment')
  expect(run).toMatchObject({ attempt: 1, infrastructureCause: null })
  expect(provider.received).toEqual([])
})

withSandbox('an address that is no http address is refused before the run starts', async () => {
  const env = { ANTHROPIC_BASE_URL: 'file:///etc/passwd' }
  const [run] = await runAll({ ...definition(''), models: [{ id: model, apiKey: 'sk-own', env }] })
  expect(run).toMatchObject({ status: 'errored', statusReason: 'ANTHROPIC_BASE_URL is not an http or https address' })
})

test('a run with a key of more than 8 KiB ends as errored before a call, and the reason says what to change', async () => {
  provider.answers((_, response) => json(response, message))
  const keyed = (apiKey: string) => ({
    ...definition('process.exit((await ask()).status === 200 ? 0 : 1)'),
    models: [{ id: model, apiKey }],
  })
  const [refused] = await runAll(keyed('k'.repeat(8193)), await noSandbox())
  expect(refused).toMatchObject({
    status: 'errored',
    attempt: 1,
    infrastructureCause: 'agent_not_started',
    statusReason:
      'The API key for anthropic has more than 8 KiB: set apiKey, or the variable of the key, to the key alone',
  })
  expect(provider.received).toEqual([])
  const [passed] = await runAll(keyed('k'.repeat(8192)), await noSandbox())
  expect(passed).toMatchObject({ status: 'completed', modelCallCount: 1 })
})

const noSandbox = async () => ({ options: { sandbox: await detectSandbox({ wanted: 'none' }) } })

test('without a sandbox, the gateway listens on the loopback address of the machine', async () => {
  provider.answers((_, response) => json(response, message))
  const [run] = await runAll(definition('process.exit((await ask()).status === 200 ? 0 : 1)'), await noSandbox())
  expect(run).toMatchObject({ status: 'completed', modelCallCount: 1, statusReason: null })
})

test('a NUL in the model name of an answer is replaced, and the call is recorded and charged', async () => {
  provider.answers((_, response) => json(response, { ...message, model: 'claude\0sonnet' }))
  const [run] = await runAll(definition('process.exit((await ask()).status === 200 ? 0 : 1)'), await noSandbox())
  expect(run).toMatchObject({ status: 'completed', modelCallCount: 1 })
  expect(await callsOf(run?.id ?? '')).toMatchObject([{ answeredModel: 'claude\uFFFDsonnet', status: 200 }])
})

test('a run whose calls cannot be recorded keeps their measured cost', async () => {
  provider.answers((_, response) => json(response, message))
  await bench.db.execute(sql`alter table model_calls add constraint takes_none check (false)`)
  const options = { ...(await noSandbox()).options, onError: () => {} }
  const script = 'process.exit((await ask()).status === 200 ? 0 : 1)'
  const [run] = await runAll(definition(script, { limits: { retries: 0 } }), { options }).finally(() =>
    bench.db.execute(sql`alter table model_calls drop constraint takes_none`),
  )
  expect(run).toMatchObject({
    status: 'errored',
    infrastructureCause: 'worker_failed',
    statusReason: 'The run engine failed; see its log for the cause',
    modelCallCount: 1,
    measuredCostUsd: expect.closeTo(price, 12),
  })
})

test('a call is recorded once however often it is written, and not for an attempt that has lost its run', async () => {
  const { runIds } = await submitTestRuns(bench.db, { definition: definition('') })
  const runId = runIds[0] ?? ''
  await bench.db.update(runs).set({ status: 'running', attempt: 2 }).where(eq(runs.id, runId))
  const call = {
    seq: 1,
    startedAt: new Date().toISOString(),
    provider: 'anthropic',
    api: 'messages' as const,
    model,
    answeredModel: null,
    status: 200,
    refused: false,
    inputTokens: 1,
    cachedTokens: 0,
    outputTokens: 1,
    tokenSource: 'provider' as const,
    costUsd: 1,
    firstByteMs: 1,
    durationMs: 2,
    error: null,
  }
  await recordModelCalls(bench.db, { runId, attempt: 1 }, [call])
  expect(await callsOf(runId)).toEqual([])
  for (let times = 0; times < 2; times += 1) await recordModelCalls(bench.db, { runId, attempt: 2 }, [call])
  expect(await callsOf(runId)).toHaveLength(1)
  const many = Array.from({ length: 4000 }, (_, index) => ({ ...call, seq: index + 1, error: 'a\0b' }))
  await recordModelCalls(bench.db, { runId, attempt: 2 }, many)
  expect(await callsOf(runId)).toHaveLength(4000)
})
