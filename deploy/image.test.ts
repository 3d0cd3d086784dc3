import { execFile, execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startThrowawayPostgres } from '#tools/postgres.mjs'
import { waitForValue } from '#platform/program/testing/platform-process.ts'
import { startTestBucket } from '#platform/program/testing/test-bucket.ts'

/** Building takes minutes and the packages of npm, so it is done when asked for. */
const base = process.env['TEST_BASE_IMAGE']
const engine = ['podman', 'docker'].find((name) =>
  ['/usr/bin', '/usr/local/bin'].some((folder) => existsSync(join(folder, name))),
)
const skip = !engine
  ? 'neither podman nor docker is installed'
  : base
    ? null
    : 'set TEST_BASE_IMAGE to a Debian image with npm'

const ulimits = ['--ulimit', 'nofile=1024:20000', '--ulimit', 'nproc=4096:4096']
const image = 'localhost/assay-test'

describe.skipIf(skip !== null)(`the image (${skip ?? engine})`, () => {
  const run = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)(engine ?? '', args, { maxBuffer: 64 * 1024 * 1024 })
    return stdout.trim()
  }
  const names: string[] = []
  let postgres: NonNullable<Awaited<ReturnType<typeof startThrowawayPostgres>>>
  let bucket: Awaited<ReturnType<typeof startTestBucket>>
  let settings: string[]

  /** Starts a role on the network of this machine, where the test's PostgreSQL and bucket are. */
  async function start(role: string[], more: Record<string, string> = {}) {
    const name = `assay-${randomUUID()}`
    names.push(name)
    const own = Object.entries(more).flatMap(([key, value]) => ['--env', `${key}=${value}`])
    await run('run', '--detach', '--name', name, '--network=host', ...ulimits, ...settings, ...own, image, ...role)
    return name
  }
  const command = (...args: string[]) =>
    run('run', '--rm', '--network=host', ...ulimits, ...settings, image, 'assay', ...args)

  beforeAll(async () => {
    const started = await startThrowawayPostgres()
    if (!started) throw new Error('Install PostgreSQL for this test')
    postgres = started
    bucket = await startTestBucket()
    const environment = {
      DATABASE_URL: postgres.url,
      BLOBS_URL: bucket.url(),
      ASSAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      PLATFORM_PORT: '7341',
      PORT: '7340',
    }
    settings = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`])
    const choices = ['--build-arg', `BASE=${base}`, '--build-arg', 'PACKAGES=', '--tag', image]
    await run('build', '--network=host', ...ulimits, ...choices, '--file', 'deploy/Dockerfile', '.')
  }, 1_800_000)
  afterAll(async () => {
    for (const name of names) execFileSync(engine ?? '', ['rm', '--force', name], { stdio: 'ignore' })
    await bucket?.stop()
    await postgres?.stop()
  })

  test('each role starts, a worker executes a run, and all of them end at SIGTERM', async () => {
    const platform = await start(['platform'], { WORKER_SLOTS: '0' })
    const answers = async (url: string) => {
      const response = await fetch(url).catch(() => null)
      return response?.ok ? ((await response.json()) as Record<string, string>) : null
    }
    expect(await waitForValue(120, () => answers('http://127.0.0.1:7341/readyz'))).toMatchObject({ status: 'ok' })
    const app = await start(['BFF'], { PLATFORM_URL: 'http://127.0.0.1:7341' })
    expect(await waitForValue(60, () => answers('http://127.0.0.1:7340/healthz'))).toMatchObject({ platform: 'ok' })
    expect(await (await fetch('http://127.0.0.1:7340/')).text()).toContain('<div id="root">')

    await command('org', 'create', '--slug', 'lab')
    const who = ['--org', 'lab', '--email', 'a@lab.example', '--role', 'admin', '--kind', 'personal']
    const key = await command('key', 'create', ...who)
    const send = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
      const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      const response = await fetch(`http://127.0.0.1:7341/api/v1${path}`, sent)
      expect(response.ok).toBe(true)
      return response.json()
    }
    const definition = { id: 'boxed', name: 'Boxed', agents: [{ id: 'a', command: ['true'] }] }
    await send('POST', '/experiments', { experimentYaml: JSON.stringify(definition) })
    await send('POST', '/experiments/boxed/runs', { mock: true, repeat: 3 })
    const worker = await start(['assay', 'run-worker'])
    await waitForValue(120, async () => {
      const text = JSON.stringify(await send('GET', '/runs'))
      return (text.match(/"status":"completed"/g) ?? []).length === 3 || null
    })

    for (const name of [worker, app, platform]) {
      expect(await run('logs', name)).not.toContain('from their sources')
      await run('stop', '--time', '60', name)
      expect(await run('inspect', '--format', '{{.State.ExitCode}}', name)).toBe('0')
    }
  })
})
