import { randomUUID } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { ciBuilds, runRequests, runs, runStatusChanges } from '#platform/ground/database/tables/runs.ts'
import { secrets } from '#platform/ground/database/tables/secrets.ts'
import { putTestSecret } from '#platform/program/testing/put-test-secret.ts'
import {
  listTestCaptures,
  openTestRunEngine,
  submitTestRuns,
  waitUntil,
  untilEnded,
} from '#platform/program/testing/test-run-engine.ts'
import { readTestTranscript } from '#platform/program/testing/read-test-transcript.ts'
import { detectSandbox } from '#platform/engine/sandbox/detect-sandbox.ts'
import type { Sandbox } from '#platform/engine/sandbox/sandbox.ts'
import { startRunEngine } from './start-run-engine.ts'

const sandbox = await detectSandbox()
const withSandbox = test.skipIf(!sandbox.status.available)

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
beforeAll(async () => {
  bench = await openTestRunEngine()
})
afterEach(async () => {
  await bench.db.delete(secrets)
  await bench.empty()
})
afterAll(() => bench.close())

const agentKey = `sk-"agent"/${randomUUID()}\\n<&>`
const sharedKey = `shared+${randomUUID()}`
const multiLine = `-----BEGIN-----\n${randomUUID()}\n${randomUUID()}\n-----END-----\n`

const putSecret = (organizationId: string, slug: string, value: string) =>
  putTestSecret(bench.services, { organizationId, slug }, value)

type Vault = Record<string, string>
const all: Vault = { agent: agentKey, shared: sharedKey, pem: multiLine }

async function submit(definition: object, vault = all, options: { mock?: boolean } = {}) {
  const document = { id: 'keyed', name: 'Keyed', agents: [agent('true')], ...definition }
  const submitted = await submitTestRuns(bench.db, { definition: document, ...options })
  for (const [slug, value] of Object.entries(vault)) await putSecret(submitted.organizationId, slug, value)
  return submitted
}

async function runAll(requestId: string, chosen: Sandbox = sandbox) {
  const engine = startRunEngine(bench.services, { sandbox: chosen, workFolder: `${bench.folder}/work`, slots: 2 })
  const ended = await untilEnded(bench.db, requestId)
  await engine.stop()
  return ended
}

const agent = (script: string, more: object = {}) => ({
  id: 'a',
  command: ['bash', '-c', script],
  env: { AGENT_KEY: 'assay://secrets/agent' },
  ...more,
})
const environments = [
  { id: 'e', env: { SHARED_KEY: 'assay://secrets/shared', PEM: 'assay://secrets/pem', PLAIN: 'plain' } },
]
const bash = (script: string) => ['bash', '-c', script]

const transcriptOf = async (run: typeof runs.$inferSelect | undefined) =>
  run && (await readTestTranscript(bench.services, run, { limit: 1000, includeReasoning: true }))

/** Everything the platform has stored: every table and every blob. */
async function everythingKept() {
  const { rows } = (await bench.db.execute(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )) as unknown as { rows: { name: string }[] }
  const tables = await Promise.all(
    rows.map(async ({ name }) => JSON.stringify((await bench.db.execute(`select * from "${name}"`)) as unknown)),
  )
  const files = await readdir(bench.folder, { recursive: true, withFileTypes: true })
  const contents = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
  )
  return [...tables, ...contents].join('\n')
}

const formsOf = (value: string) => [
  value,
  JSON.stringify(value).slice(1, -1),
  Buffer.from(value).toString('base64').slice(0, 24),
  Buffer.from(value).toString('hex'),
  encodeURIComponent(value),
]

withSandbox('secret values reach only the processes that the definition names, and are never stored', async () => {
  const show = 'echo "$SHARED_KEY"; printf %s "$PEM"; printf %s "$SHARED_KEY" | base64; printf %s "$PEM" | base64'
  const junit = `<testsuite><testcase name="case $SHARED_KEY"><failure message="m">$SHARED_KEY</failure></testcase></testsuite>`
  const { requestId } = await submit({
    environments,
    setup: { commands: [bash('test -n "$SHARED_KEY" && test -z "$AGENT_KEY"')] },
    agents: [
      agent(
        `echo "$AGENT_KEY"; printf %s "$AGENT_KEY" | base64 -w0; echo; printf %s "$AGENT_KEY" | od -An -tx1 | tr -d ' '; ${show}
        for i in 1 2 3; do printf "%s" "\${AGENT_KEY:0:9}"; sleep 0.05; echo "\${AGENT_KEY:9}"; done
        printf %s "$AGENT_KEY" > left-behind.txt; cat "$ASSAY_PROMPT_FILE"; echo "$AGENT_KEY" >&2; exit 3`,
      ),
    ],
    prompts: [{ id: 'p', text: 'The prompt' }],
    tests: [
      {
        name: 'shows',
        command: bash(`${show}; cat left-behind.txt; cat left-behind.txt >&2; echo "plain: $PLAIN"; exit 1`),
      },
      { name: 'has no agent key', command: bash('test -z "$AGENT_KEY"') },
      {
        name: 'report',
        command: bash(`cat > r.xml <<< "${junit.replaceAll('"', '\\"')}"; exit 1`),
        report: { format: 'junit', path: 'r.xml' },
      },
      {
        name: 'tap',
        command: bash('echo "TAP version 13"; echo "1..1"; echo "not ok 1 - $SHARED_KEY"; exit 1'),
        report: { format: 'tap' },
      },
    ],
  })
  const [run] = await runAll(requestId)
  expect(run).toMatchObject({ status: 'completed', testsPassed: 1, testsFailed: 3 })
  expect(run?.statusReason).toBe('The agent exited with code 3\n[secret:agent]')

  const transcript = await transcriptOf(run)
  const said = transcript?.turns.map((turn) => turn.text).join('\n') ?? ''
  expect(said).toContain('The prompt')
  expect(said.match(/\[secret:agent\]/g)).toHaveLength(6)
  expect(said.match(/\[secret:(shared|pem)\]/g)?.length).toBeGreaterThanOrEqual(4)

  const captures = await listTestCaptures(bench.db, run?.id ?? '')
  expect(captures.map(({ name }) => name)).toEqual([
    'shows',
    'has no agent key',
    'report/case [secret:shared]',
    'tap/[secret:shared]',
  ])
  expect(captures[0]?.stdoutTail).toContain('plain: plain')
  expect(captures[0]?.stderrTail).toBe('[secret:agent]')
  expect(captures[2]?.stderrTail).toBe('m\n[secret:shared]')

  const kept = await everythingKept()
  expect(kept).toContain('[secret:agent]')
  for (const form of [
    agentKey,
    sharedKey,
    multiLine.trim(),
    ...multiLine.split('\n').filter((line) => line.length > 30),
  ].flatMap(formsOf))
    expect(kept).not.toContain(form)
})

withSandbox('a secret value that an agent writes as JSON with unusual escapes is masked after decoding', async () => {
  const escaped = [...sharedKey].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  const line = `{"role":"tool","kind":"tool_result","tool":"${escaped}","text":"<${escaped}>"}`
  const { requestId } = await submit({
    environments,
    agents: [agent('cat lines.jsonl', { transcript: 'assay-jsonl' })],
    files: [{ dest: 'lines.jsonl', content: `${line}\n` }],
  })
  const [run] = await runAll(requestId)
  expect((await transcriptOf(run))?.turns).toMatchObject([{ tool: '[secret:shared]', text: '<[secret:shared]>' }])
})

withSandbox('masking happens before cutting, so no part of a secret survives at the edge of a tail', async () => {
  const { requestId } = await submit({
    environments,
    tests: [
      {
        name: 'long',
        command: bash(`for i in $(seq 3000); do printf "%s" "$SHARED_KEY"; done; head -c 65530 /dev/zero | tr '\\0' x`),
      },
    ],
  })
  const [run] = await runAll(requestId)
  const [capture] = await listTestCaptures(bench.db, run?.id ?? '')
  expect(/^hared\]x+$/.test(capture?.stdoutTail ?? '')).toBe(true)
})

withSandbox(
  'a run keeps and masks the secret values it started with, even if a secret is replaced or deleted meanwhile',
  async () => {
    const { requestId, organizationId } = await submit({
      environments,
      agents: [agent('echo up; until [ -e go ]; do sleep 0.05; done; echo "$AGENT_KEY"')],
      tests: [{ name: 'shows', command: bash('echo "$SHARED_KEY"') }],
    })
    const engine = startRunEngine(bench.services, { sandbox, workFolder: `${bench.folder}/work` })
    const workspaces = async () =>
      (await readdir(`${bench.folder}/work`, { recursive: true })).filter((path) => path.endsWith('workspace'))
    const isUp = async () => (await bench.db.select().from(runs)).some((run) => run.turnCount === 1)
    await waitUntil(isUp, 'the agent to be up')
    await putSecret(organizationId, 'agent', 'a value that came later')
    await bench.db.delete(secrets).where(eq(secrets.slug, 'shared'))
    const [place] = await workspaces()
    await writeFile(join(bench.folder, 'work', place ?? '', 'go'), '')
    const [run] = await untilEnded(bench.db, requestId)
    await engine.stop()
    expect((await transcriptOf(run))?.turns.map((turn) => turn.text)).toEqual(['up', '[secret:agent]'])
    expect((await listTestCaptures(bench.db, run?.id ?? ''))[0]?.stdoutTail).toBe('[secret:shared]\n')
  },
)

withSandbox('a build gets its environment’s secrets, and its output is masked', async () => {
  const script = 'echo "$SHARED_KEY" | base64 -w0; echo; echo "key $SHARED_KEY agent <$AGENT_KEY>"; exit 5'
  const { requestId } = await submit({
    environments: [{ ...environments[0], ci: { command: bash(script) } }],
  })
  const [run] = await runAll(requestId)
  const [build] = await bench.db.select().from(ciBuilds)
  expect(build?.outputTail).toBe('[secret:shared]\nkey [secret:shared] agent <>\n')
  expect(run?.statusReason).toContain('key [secret:shared] agent <>')
})

withSandbox(
  'a run or build whose secret is missing or cannot be decrypted at its start ends with the reason',
  async () => {
    const { requestId, organizationId } = await submit({ environments }, { agent: agentKey, pem: multiLine })
    await bench.db.update(secrets).set({ keyId: 'lost' })
    await putSecret(organizationId, 'pem', multiLine)
    const [run] = await runAll(requestId)
    expect(run).toMatchObject({ status: 'errored' })
    expect(run?.statusReason).toBe(
      'SHARED_KEY needs the secret shared, which does not exist\nAGENT_KEY needs the secret agent, which cannot be decrypted with the keys of this installation',
    )
    const built = await submit({ id: 'built', environments: [{ ...environments[0], ci: { command: ['true'] } }] }, {})
    const [waiting] = await runAll(built.requestId)
    expect(waiting?.statusReason).toContain('SHARED_KEY needs the secret shared, which does not exist')
  },
)

withSandbox('a run cannot use secrets of another organization', async () => {
  await submit({ id: 'theirs' })
  await bench.db.delete(runStatusChanges)
  await bench.db.delete(runs)
  const ours = await submit({ id: 'ours' }, {})
  const [run] = await runAll(ours.requestId)
  expect(run?.statusReason).toBe('AGENT_KEY needs the secret agent, which does not exist')
})

test('a mock run needs no secret', async () => {
  const { requestId } = await submit({ environments }, {}, { mock: true })
  const [run] = await runAll(requestId)
  expect(run?.status).toBe('completed')
  expect((await bench.db.select().from(runRequests))[0]?.mock).toBe(true)
})

test('a secret value never appears on a command line, neither bubblewrap’s nor a preset client’s', async () => {
  const commands: { argv: readonly string[]; env: object }[] = []
  const { openWorld: _, ...alone } = sandbox
  const recording: Sandbox = {
    ...alone,
    status: { kind: 'none', available: true },
    spawn: async ({ argv, env }) => {
      commands.push({ argv, env })
      return { exitCode: 0, timedOut: false, stopped: false, couldNotStart: null, exceeded: null, durationMs: 1 }
    },
    inside: (folders) => folders,
  }
  const codex = {
    agents: [{ id: 'codex', preset: 'codex', env: { AGENT_KEY: 'assay://secrets/agent' } }],
    models: [{ id: 'gpt-5', apiKey: 'assay://secrets/shared' }],
    environments: [{ id: 'e', network: true }],
  }
  const { requestId } = await submit(codex)
  const [run] = await runAll(requestId, recording)
  expect(run?.status).toBe('completed')
  const token = expect.stringMatching(/^assay-run-[\w-]{43}$/)
  expect(commands.at(-1)?.env).toMatchObject({ AGENT_KEY: agentKey, OPENAI_API_KEY: token, CODEX_API_KEY: token })
  // The key of the model is only in the gateway.
  expect(JSON.stringify(commands)).not.toContain(sharedKey)

  // Codex takes its base URL as an argument, and gets that of the gateway.
  const baseUrl = 'https://models.example/secret-path/v1'
  const elsewhere = {
    ...codex,
    id: 'elsewhere',
    agents: [{ id: 'codex', preset: 'codex', env: { OPENAI_BASE_URL: 'assay://secrets/agent' } }],
  }
  commands.length = 0
  const { requestId: other } = await submit(elsewhere, { ...all, agent: baseUrl })
  const [redirected] = await runAll(other, recording)
  expect(redirected?.status).toBe('completed')
  expect(commands.at(-1)?.env).toMatchObject({ OPENAI_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\//) })
  expect(JSON.stringify(commands)).not.toContain('secret-path')
})
