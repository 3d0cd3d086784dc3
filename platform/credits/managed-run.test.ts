import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { detectSandbox } from '#platform/run-engine/sandbox/detect-sandbox.ts'
import type { Sandbox } from '#platform/run-engine/sandbox/sandbox.ts'
import { startRunEngine } from '#platform/run-engine/start-run-engine.ts'
import { runs } from '#platform/database/tables/runs.ts'
import { openTestRunEngine, submitTestRuns, untilEnded } from '#platform/testing/test-run-engine.ts'
import { capturedTests } from '#platform/database/tables/captured-tests.ts'
import { creditHolds, runUsage } from '#platform/database/tables/credits.ts'

const key = 'sk-operator-0123456789abcdef'

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
let sandbox: Sandbox
beforeAll(async () => {
  bench = await openTestRunEngine()
  const bin = join(bench.folder, 'clients', 'node_modules', '.bin')
  await mkdir(bin, { recursive: true })
  const usage =
    '{"type":"turn.completed","usage":{"input_tokens":1000000,"cached_input_tokens":0,"output_tokens":100000}}'
  await writeFile(join(bin, 'codex'), ['#!/bin/sh', 'echo "$CODEX_API_KEY" > given.txt', `echo '${usage}'`].join('\n'))
  await chmod(join(bin, 'codex'), 0o755)
  sandbox = await detectSandbox({ clientsFolder: join(bench.folder, 'clients') })
})
afterEach(() => bench.empty())
afterAll(() => bench.close())

const { status } = await detectSandbox()
const withSandbox = test.skipIf(!status.available)

const definition = {
  id: 'managed',
  name: 'Managed',
  agents: [{ id: 'a', preset: 'codex' }],
  models: ['gpt-5'],
  environments: [{ id: 'open', network: true }],
  prompts: [{ id: 'p', text: 'Say hello' }],
  tests: [{ name: 'key', command: ['cat', 'given.txt'] }],
}

async function run({ platformKey, ...changed }: { platformKey: boolean } & Partial<typeof definition>) {
  const { requestId } = await submitTestRuns(bench.db, { definition: { ...definition, ...changed } })
  const [queued] = await bench.db.select().from(runs).where(eq(runs.requestId, requestId))
  if (!queued) throw new Error('No run was queued')
  const { id: runId, organizationId } = queued
  await bench.db.insert(creditHolds).values({ runId, organizationId, parts: [], runRate: 0, platformKey })
  const workFolder = join(bench.folder, 'work')
  const engine = startRunEngine(bench.services, { sandbox, workFolder, managedKeys: { openai: key } })
  const [ended] = await untilEnded(bench.db, requestId)
  await engine.stop()
  const [captured] = await bench.db.select().from(capturedTests).where(eq(capturedTests.runId, runId))
  const [usage] = await bench.db.select().from(runUsage).where(eq(runUsage.runId, runId))
  return { ended, captured, usage }
}

withSandbox("a managed preset run has the operator's key, is charged its price, and never shows the key", async () => {
  const { ended, captured, usage } = await run({ platformKey: true })
  expect(ended).toMatchObject({ status: 'completed', costUsd: expect.closeTo(2.25, 9) })
  expect(captured?.stdoutTail.trim()).toBe('[secret:platform-key]')
  expect(usage).toMatchObject({ modelMicros: 2_250_000n, byokMicros: 0n })
})

withSandbox("a run without a platform-key charge in its submission never receives the operator's key", async () => {
  const { ended, usage } = await run({ platformKey: false })
  expect(ended?.status).toBe('errored')
  expect(ended?.statusReason).toContain('codex has no key')
  expect(usage?.modelMicros).toBe(0n)
})

withSandbox(
  'a run that replaces the client with its own program receives no key, however it was submitted',
  async () => {
    const files = [{ dest: 'bin/codex', content: '#!/bin/sh\nenv > given.txt', executable: true }]
    const agents = [{ id: 'a', preset: 'codex', env: { PATH: '/workspace/bin:/usr/bin:/bin' } }]
    const changed = { agents, files }
    const { ended, captured, usage } = await run({ platformKey: true, ...changed })
    expect(ended?.status).toBe('errored')
    expect(ended?.statusReason).toMatch(/^The run cannot start: .* cannot set PATH, because another program/)
    expect(captured?.stdoutTail ?? '').toBe('')
    expect(usage?.modelMicros).toBe(0n)
  },
)
