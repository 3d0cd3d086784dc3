import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'

import type { Run, StatusChange } from '#contract/runs.ts'
import { writeHeader } from '#contract/session.ts'
import { findConfinement } from '#platform/analysis/analytics/chdb/confine.ts'
import { startClickhouseServer } from '#platform/program/testing/clickhouse-server.ts'
import { createLab, startPlatformProcess, waitForValue } from '#platform/program/testing/platform-process.ts'
import { startTestBucket } from '#platform/program/testing/test-bucket.ts'

const server = process.env['TEST_DATABASE_URL'] ?? ''
const canAnalyze = (await findConfinement()).missing === null

const definition = `
id: mocked
name: Mocked
agents:
  - {id: a, command: ["true"]}
prompts:
  - {id: one, text: One}
tests:
  - {name: passes, command: ["true"]}
`
const runCount = 24

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const preloaded = ['--import', new URL('../../../tools/resolve-once.mjs', import.meta.url).href]

async function makeDatabase() {
  const name = `assay_several_${randomUUID().replaceAll('-', '')}`
  const administer = async (statement: string) => {
    const client = new Client({ connectionString: server })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await administer(`create database ${name}`)
  onTestFinished(() => administer(`drop database ${name} with (force)`))
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

/** What servers and workers share: a database, a bucket, ClickHouse and the keys, and no folder. */
async function share() {
  const bucket = await startTestBucket()
  onTestFinished(() => bucket.stop())
  const clickhouse = await startClickhouseServer()
  onTestFinished(() => clickhouse.remove())
  return {
    DATABASE_URL: await makeDatabase(),
    BLOBS_URL: bucket.url(),
    CLICKHOUSE_URL: clickhouse.url,
    CLICKHOUSE_USER: clickhouse.credentials.username,
    CLICKHOUSE_PASSWORD: clickhouse.credentials.password,
    ASSAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
  }
}

function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-several-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function startServer(shared: Record<string, string>) {
  const folder = makeFolder()
  const platform = await startPlatformProcess(folder, { ...shared, WORKER_SLOTS: '2' })
  onTestFinished(async () => void (await platform.stop('SIGKILL')))
  return { ...platform, folder }
}

function start(program: string, args: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [...preloaded, fileOf(program), ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended }
}

/** Resolves with what the pattern captures, once the process has printed it. */
async function printed({ stdout }: ChildProcess, pattern: RegExp): Promise<string> {
  let output = ''
  for await (const chunk of stdout ?? []) {
    output += String(chunk)
    const found = pattern.exec(output)
    if (found) return found[1] ?? ''
  }
  throw new Error(`The process ended without printing ${pattern}`)
}

async function startBff(shared: Record<string, string>, platformUrl: string | null) {
  const folder = makeFolder()
  await mkdir(join(folder, 'dist'))
  for (const page of ['index.html', 'embed.html']) await writeFile(join(folder, 'dist', page), '')
  const { DATABASE_URL = '' } = shared
  const own = { PORT: '0', PLATFORM_URL: platformUrl ?? '', DATABASE_URL, DATA_DIR: folder }
  const { child } = start('../../../BFF/main.ts', [], { ...own, STATIC_DIR: join(folder, 'dist'), LOG_LEVEL: 'info' })
  const url = await printed(child, /(http:\/\/127\.0\.0\.1:\d+)/)
  child.stdout?.resume()
  const page = { [writeHeader]: '1', 'sec-fetch-site': 'same-origin' }
  return (method: string, path: string, cookie = '', body?: unknown) =>
    fetch(url + path, {
      method,
      headers: { ...page, cookie, 'content-type': typeof body === 'string' ? 'text/yaml' : 'application/json' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
}

/** Sends a request without the end of its body. Returns a function that sends the end and returns the response. */
async function startRequest(url: string, apiKey: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const headers = ['host: localhost', `authorization: Bearer ${apiKey}`, 'content-type: application/json']
  const lines = ['PUT /api/v1/secrets/late HTTP/1.1', ...headers, 'content-length: 13', 'expect: 100-continue', '', '']
  socket.write(lines.join('\r\n'))
  // "100 Continue": the server handles the request.
  await once(socket, 'data')
  return () => {
    socket.write('{"value":"v"}')
    return text(socket)
  }
}

/** Servers and workers as on several machines. Needs PostgreSQL, as TEST_DATABASE_URL says, and an analytics engine. */
test.skipIf(!server || !canAnalyze)(
  'a session holds on every server, a killed server loses no run, and every process stops in order',
  async () => {
    const shared = await share()
    // At once on an empty database, which one of them migrates.
    const [one, two] = await Promise.all([startServer(shared), startServer(shared)])
    for (const { url, complaints } of [one, two]) expect(url ?? complaints()).toMatch(/^http:/)
    const worker = start('../cli/main.ts', ['run-worker'], { ...shared, DATA_DIR: makeFolder(), WORKER_SLOTS: '2' })
    await printed(worker.child, /(ready)/)
    worker.child.stdout?.resume()
    const [here, there] = [await startBff(shared, one.url), await startBff(shared, two.url)]

    const apiKey = createLab(one.folder, { role: 'admin', kind: 'personal' })
    const signedIn = await here('POST', '/session', '', { apiKey })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await there('GET', '/api/v1/whoami', cookie)).status).toBe(200)

    expect((await here('POST', '/api/v1/experiments', cookie, definition)).status).toBe(200)
    const submission = { repeat: runCount, mock: true }
    expect((await here('POST', '/api/v1/experiments/mocked/runs', cookie, submission)).ok).toBe(true)
    type Page = { runs: Run[]; statusCounts: Record<string, number> }
    const list = async () => (await (await there('GET', '/api/v1/runs?limit=100', cookie)).json()) as Page
    await waitForValue(60, async () => {
      const { statusCounts } = await list()
      return statusCounts['completed'] && statusCounts['running'] ? true : null
    })

    await one.stop('SIGKILL')
    const { runs, statusCounts } = await waitForValue(120, async () => {
      const page = await list()
      return page.statusCounts['completed'] === runCount ? page : null
    })
    expect([runs.length, statusCounts['completed']]).toEqual([runCount, runCount])
    for (const { id } of runs) {
      const response = await there('GET', `/api/v1/runs/${encodeURIComponent(id)}`, cookie)
      const { run } = (await response.json()) as { run: { statusHistory: StatusChange[] } }
      expect(run.statusHistory.filter(({ status }) => status === 'completed')).toHaveLength(1)
    }
    await waitForValue(60, async () => {
      const path = `/api/v1/insights/${encodeURIComponent('chart:mocked:tests')}/execute`
      const response = await there('POST', path, cookie, { parameters: { group_by: 'agent' } })
      if (!response.ok) return null
      const { chartDataJson } = (await response.json()) as { chartDataJson: string }
      const { groups } = JSON.parse(chartDataJson) as { groups: { runs: number }[] }
      return groups[0]?.runs === runCount ? true : null
    })

    // The platform of this BFF is gone, and its sessions are not.
    const isSignedIn = async () => (await (await here('GET', '/session', cookie)).json()) as { signedIn: boolean }
    expect(await isSignedIn()).toMatchObject({ signedIn: true })
    expect((await there('DELETE', '/session', cookie)).status).toBe(200)
    expect(await isSignedIn()).toMatchObject({ signedIn: false })

    worker.child.kill('SIGTERM')
    expect(await worker.ended).toEqual([0, null])
    const finishRequest = await startRequest(two.url ?? '', apiKey)
    const stopped = two.stop('SIGTERM')
    await waitForValue(120, async () => ((await fetch(`${two.url}/healthz`).catch(() => null)) ? null : true))
    expect(await finishRequest()).toMatch(/^HTTP\/1\.1 200 [^]*connection: close/i)
    expect(await stopped).toBe(0)
  },
)
