import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { Run, StatusChange } from '#contract/runs.ts'
import { writeHeader } from '#contract/session.ts'
import { waitForValue } from '#platform/program/testing/platform-process.ts'
import { freePort } from '#tools/free-port.mjs'
import { type DockerEngine, openDockerEngine, whyNoEngine } from './testing/docker-engine.ts'

const skip = process.env['TEST_LONG'] === '1' ? whyNoEngine : 'only npm run test:long builds images'

const here = fileURLToPath(new URL('.', import.meta.url))
const checkout = join(here, '..')
const base = 'docker.io/library/node:24-bookworm-slim'
const dataImages = ['postgres:17', 'clickhouse/clickhouse-server:26.3', 'ghcr.io/versity/versitygw']

const definition = {
  id: 'boxed',
  name: 'Boxed',
  agents: [{ id: 'slow', command: ['sh', '-c', 'sleep 15; echo done by $ASSAY_VARIANT_ID'] }],
  prompts: [{ id: 'only', text: 'wait' }],
  tests: [{ name: 'passes', command: ['true'] }],
}
const runCount = 8

describe.skipIf(skip !== null)(`compose.yaml (${skip ?? 'in Docker'})`, () => {
  let engine: DockerEngine
  let folder: string
  let address: string
  let files: string[]
  const compose = (...args: string[]) => engine.docker('compose', ...files, ...args)

  /** The published images of the database, the analytics and the object store, or our own stand-ins if they cannot be pulled. */
  async function chooseImages() {
    const canPull = await engine.has(base)
    if (!canPull) {
      const archive = execFileSync(join(here, 'testing/make-base-image'), { encoding: 'utf8' }).trim()
      const certificates = 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt'
      await engine.docker('import', '--change', certificates, archive, base)
    }
    const build = ['build', '--network=host']
    await engine.docker(...build, '--file', join(here, 'Dockerfile'), '--tag', 'localhost/assay-test', checkout)
    const ours = { image: 'localhost/assay-test' }
    if (canPull && (await Promise.all(dataImages.map(engine.has))).every(Boolean))
      return { platform: ours, app: ours, worker: ours }

    const image = 'localhost/assay-stand-in'
    await engine.docker(...build, '--build-arg', `BASE=${base}`, '--tag', image, join(here, 'testing'))
    const server = (name: string) => ({
      image,
      command: ['node', join(here, 'testing/stand-in.ts'), name],
      volumes: [`${checkout}:${checkout}:ro`],
    })
    return {
      platform: ours,
      app: ours,
      worker: ours,
      postgres: { image, command: ['start-postgres'] },
      clickhouse: {
        ...server('clickhouse'),
        // bubblewrap confines chDB.
        cap_add: ['SYS_ADMIN'],
        security_opt: ['seccomp=unconfined', 'apparmor=unconfined', 'systempaths=unconfined'],
        // Not every machine may raise the limit.
        ulimits: { nofile: 1024 },
      },
      bucket: server('bucket'),
      'new-bucket': { image },
    }
  }

  beforeAll(async () => {
    engine = await openDockerEngine()
    folder = await mkdtemp(join(tmpdir(), 'assay-compose-'))
    const port = await freePort()
    address = `http://127.0.0.1:${port}`
    const secrets = ['POSTGRES', 'CLICKHOUSE', 'BUCKET'].map((name) => `${name}_PASSWORD=${randomUUID()}`)
    const keys = `ASSAY_ENCRYPTION_KEYS=${randomBytes(32).toString('base64')}`
    await writeFile(join(folder, '.env'), [...secrets, keys, `PORT=${port}`].join('\n'))
    await writeFile(join(folder, 'images.yaml'), JSON.stringify({ services: await chooseImages() }))
    files = [
      ['--project-name', `assay-${port}`, '--env-file', join(folder, '.env')],
      ['--file', join(here, 'compose.yaml'), '--file', join(folder, 'images.yaml')],
    ].flat()
  }, 1_800_000)
  afterAll(async () => {
    if (files) await compose('down', '--volumes', '--timeout', '5')
    await engine?.close()
    if (folder) await rm(folder, { recursive: true, force: true })
  }, 180_000)

  const health = `fetch('http://127.0.0.1:4401/readyz').then(async (answer) => console.log(await answer.text()))`
  const healthOf = async (server: number) =>
    JSON.parse(await compose('exec', '-T', '--index', String(server), 'platform', 'node', '-e', health)) as object
  const containersOf = async (service: string) => (await compose('ps', '--quiet', service)).split('\n')

  let cookie = ''
  /** Sends a request as the page does. */
  async function send(method: string, path: string, body?: object) {
    const json = body && { 'content-type': 'application/json' }
    const response = await fetch(address + path, {
      method,
      headers: { [writeHeader]: '1', 'sec-fetch-site': 'same-origin', cookie, ...json },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    expect(response.ok, `${method} ${path}: ${text}`).toBe(true)
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return text ? JSON.parse(text) : null
  }
  type RunPage = { runs: Run[]; statusCounts: Record<string, number> }
  const listRuns = (): Promise<RunPage> => send('GET', '/api/v1/runs?limit=100')
  const getRun = (run: Run) => send('GET', `/api/v1/runs/${encodeURIComponent(run.id)}?transcript=true`)
  const transcriptOf = async (run: Run) => JSON.stringify((await getRun(run)).transcript)
  async function countRows() {
    const sql = 'SELECT count() AS runs, sum(passed) AS passed FROM runs'
    return JSON.stringify((await send('POST', '/api/v1/query', { sql })).rows)
  }

  test('a killed server and a killed worker lose no run, and all data are there after down and up', async () => {
    await compose('up', '--detach', '--no-build')
    await compose('run', '--rm', '-T', 'platform', 'assay', 'org', 'create', '--slug', 'lab')
    const who = ['--org', 'lab', '--email', 'a@lab.example', '--role', 'admin', '--kind', 'personal']
    const apiKey = await compose('run', '--rm', '-T', 'platform', 'assay', 'key', 'create', ...who)
    for (const server of [1, 2]) expect(await healthOf(server)).toMatchObject({ status: 'ok' })

    await send('POST', '/session', { apiKey })
    await send('POST', '/api/v1/experiments', { experimentYaml: JSON.stringify(definition) })
    await send('POST', '/api/v1/experiments/boxed/runs', { repeat: runCount })
    await waitForValue(120, async () => (((await listRuns()).statusCounts['running'] ?? 0) > 2 ? true : null))
    const [[worker = ''], [server = '']] = [await containersOf('worker'), await containersOf('platform')]
    await engine.docker('kill', worker, server)

    const { runs } = await waitForValue(300, async () => {
      const page = await listRuns().catch(() => null)
      return page?.statusCounts['completed'] === runCount ? page : null
    })
    const attempts: number[] = []
    for (const run of runs) {
      const { statusHistory } = (await getRun(run)).run as { statusHistory: StatusChange[] }
      expect(statusHistory.filter(({ status }) => status === 'completed')).toHaveLength(1)
      attempts.push(statusHistory.filter(({ status }) => status === 'running').length)
      expect(await transcriptOf(run)).toContain('done by slow')
    }
    expect(Math.max(...attempts)).toBe(2)
    const rows = await waitForValue(120, async () => {
      const found = await countRows()
      return found.includes(String(runCount)) ? found : null
    })

    await compose('down', '--timeout', '60')
    await compose('up', '--detach', '--no-build')
    await waitForValue(120, () =>
      fetch(`${address}/healthz`).then(
        (answer) => answer.ok || null,
        () => null,
      ),
    )
    expect(await countRows()).toBe(rows)
    expect(await transcriptOf(runs[0] as Run)).toContain('done by slow')
    for (const server of [1, 2]) expect(await healthOf(server)).toMatchObject({ status: 'ok' })
  }, 1_200_000)
})
