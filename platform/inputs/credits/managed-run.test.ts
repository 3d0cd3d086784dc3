import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { sumSpendingOfProvider } from '#platform/inputs/budgets/spending-of-provider.ts'
import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'
import { creditHolds, runUsage } from '#platform/ground/database/tables/credits.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { detectSandbox } from '#platform/engine/sandbox/detect-sandbox.ts'
import type { Sandbox } from '#platform/engine/sandbox/sandbox.ts'
import { startRunEngine } from '#platform/engine/run-engine/start-run-engine.ts'
import { json, startScriptedProvider } from '#platform/program/testing/scripted-provider.ts'
import { openTestRunEngine, submitTestRuns, untilEnded } from '#platform/program/testing/test-run-engine.ts'

const key = 'sk-operator-0123456789abcdef'

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
let sandbox: Sandbox
beforeAll(async () => {
  bench = await openTestRunEngine()
  provider = await startScriptedProvider()
  const usage = { input_tokens: 1_000_000, input_tokens_details: { cached_tokens: 0 }, output_tokens: 100_000 }
  provider.answers((_, response) => json(response, { object: 'response', model: 'gpt-5', output: [], usage }))
  await installFakeCodex()
  sandbox = await detectSandbox({ clientsFolder: join(bench.folder, 'clients') })
})
afterEach(() => bench.empty())
afterAll(async () => {
  await provider.close()
  await bench.close()
})

const { status } = await detectSandbox()
const withSandbox = test.skipIf(!status.available)

/** A Codex that stores its environment, calls its model once, and reports a hundredth of the tokens. */
async function installFakeCodex() {
  const bin = join(bench.folder, 'clients', 'node_modules', '.bin')
  await mkdir(bin, { recursive: true })
  const script = `#!/usr/bin/env node
    require('node:fs').writeFileSync('given.txt', JSON.stringify(process.env))
    fetch(process.env.OPENAI_BASE_URL + '/responses', {
      method: 'POST',
      headers: { authorization: 'Bearer ' + process.env.CODEX_API_KEY },
      body: JSON.stringify({ model: 'gpt-5', input: 'Hello' }),
    }).then(async (response) => {
      await response.text()
      console.log(JSON.stringify({ type: 'turn.completed', usage: { input_tokens: 10_000, cached_input_tokens: 0, output_tokens: 1000 } }))
    })`
  await writeFile(join(bin, 'codex'), script)
  await chmod(join(bin, 'codex'), 0o755)
}

const definition = {
  id: 'managed',
  name: 'Managed',
  agents: [{ id: 'a', preset: 'codex' }],
  models: ['gpt-5'],
  prompts: [{ id: 'p', text: 'Say hello' }],
  tests: [{ name: 'environment', command: ['cat', 'given.txt'] }],
}

async function run({
  platformKey,
  ...changed
}: { platformKey: boolean } & Partial<Record<keyof typeof definition | 'files', unknown>>) {
  const { requestId } = await submitTestRuns(bench.db, { definition: { ...definition, ...changed } })
  const [queued] = await bench.db.select().from(runs).where(eq(runs.requestId, requestId))
  if (!queued) throw new Error('No run was queued')
  const { id: runId, organizationId } = queued
  await bench.db.insert(creditHolds).values({ runId, organizationId, parts: [], runRate: 0, platformKey })
  const engine = startRunEngine(bench.services, {
    sandbox,
    workFolder: join(bench.folder, 'work'),
    managedKeys: { openai: key },
    providerAddresses: { openai: `${provider.url}/v1` },
  })
  const [ended] = await untilEnded(bench.db, requestId)
  await engine.stop()
  const [captured] = await bench.db.select().from(capturedTests).where(eq(capturedTests.runId, runId))
  const [usage] = await bench.db.select().from(runUsage).where(eq(runUsage.runId, runId))
  return { ended, captured, usage }
}

withSandbox(
  'a run on the operator’s key never gets the key, and is charged what the provider said, whatever its client reports',
  async () => {
    const { ended, captured, usage } = await run({ platformKey: true })
    expect(ended).toMatchObject({
      status: 'completed',
      costUsd: expect.closeTo(2.25, 9),
      inputTokens: 1_000_000,
      outputTokens: 100_000,
      modelCallCount: 1,
      measuredCostUsd: expect.closeTo(2.25, 9),
      hasEstimatedTokens: false,
      reportedCostUsd: expect.closeTo(0.0225, 9),
      reportedInputTokens: 10_000,
      reportedOutputTokens: 1000,
    })
    expect(usage).toMatchObject({ modelMicros: 2_250_000n, byokMicros: 0n })
    expect(provider.received.at(-1)?.headers.authorization).toBe(`Bearer ${key}`)
    const spentOn = await sumSpendingOfProvider(bench.db, ended?.organizationId ?? '')
    expect(spentOn('openai')).toBeCloseTo(2.25 + Number(usage?.infrastructureMicros ?? 0) / 1e6, 6)
    expect(spentOn('anthropic')).toBe(0)
    const environment = captured?.stdoutTail ?? ''
    expect(environment).toContain('"CODEX_API_KEY":"[secret:model-token]"')
    expect(environment).not.toContain('platform-key')
    expect(environment).not.toContain(key)
  },
)

withSandbox('a run without a platform-key charge in its submission never reaches its model', async () => {
  const { ended, usage } = await run({ platformKey: false })
  expect(ended?.status).toBe('errored')
  expect(ended?.statusReason).toContain('codex has no key')
  expect(usage?.modelMicros).toBe(0n)
})

withSandbox(
  'a run that replaces the client with its own program finds only a token, and is charged the same',
  async () => {
    const files = [
      {
        dest: 'bin/codex',
        executable: true,
        content: `#!/bin/sh
        { env; cat /proc/self/environ /proc/*/cmdline /home/agent/.[!.]* /etc/passwd; } > given.txt 2>/dev/null
        curl -sS -H "authorization: Bearer $CODEX_API_KEY" -d '{"model":"gpt-5","input":"Hi"}' "$OPENAI_BASE_URL/responses"`,
      },
    ]
    const env = { PATH: '/workspace/bin:/usr/bin:/bin', LD_LIBRARY_PATH: '/workspace', NODE_OPTIONS: '--no-warnings' }
    const { ended, captured, usage } = await run({
      platformKey: true,
      agents: [{ id: 'a', preset: 'codex', env }],
      files,
    })
    expect(ended).toMatchObject({ status: 'completed', modelCallCount: 1 })
    expect(captured?.stdoutTail).toContain('CODEX_API_KEY=[secret:model-token]')
    expect(captured?.stdoutTail).not.toContain('platform-key')
    expect(captured?.stdoutTail).not.toContain(key)
    expect(usage?.modelMicros).toBe(2_250_000n)
  },
)

withSandbox('a run that never calls its model is not charged for one, even if its client reports a cost', async () => {
  const agents = [{ id: 'a', transcript: 'assay-jsonl', command: ['echo', '{"usage":{"inputTokens":5,"costUsd":9}}'] }]
  const { ended, usage } = await run({ platformKey: true, agents, tests: [] })
  expect(ended).toMatchObject({ modelCallCount: 0, costUsd: 9, measuredCostUsd: 0, reportedCostUsd: 9 })
  expect(usage?.modelMicros).toBe(0n)
})
