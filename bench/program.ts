import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { writeHeader } from '#contract/session.ts'
import { buildPlatform } from '#platform/program/server/build-platform.ts'
import { readPlatformConfig } from '#platform/program/server/platform-config.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { createKey } from '#platform/people/identity/create-key.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { freePort } from '#tools/free-port.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const stopWithParent = new URL('../tools/stop-with-parent.mjs', import.meta.url).href
const compileCache = join(root, 'node_modules/.cache/compile')

export type Seed = (services: Services, organizationId: string) => Promise<void>

/** A new data folder with one organization, its admin's key and the data from `seed`. No process uses it. */
export async function makeDataFolder(seed: Seed = async () => {}) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  const platform = await buildPlatform(
    readPlatformConfig({
      DATABASE_URL: process.env['DATABASE_URL'],
      DATA_DIR: dataFolder,
      WORKER_SLOTS: '0',
      LOG_LEVEL: 'silent',
    }),
  )
  const { services } = platform
  const organization = await createOrganization(services, { slug: 'lab' })
  const person = { email: 'admin@lab.example', organizations: ['lab'] }
  const key = await createKey(services, { ...person, role: 'admin', kind: 'personal' })
  await seed(services, organization.id)
  await platform.close()
  return { dataFolder, key, remove: () => rm(dataFolder, { recursive: true, force: true }) }
}

/** Starts the platform and the BFF on free loopback ports with a new data folder, as `npm start` does. */
export async function startProgram(seed?: Seed, nodeArguments: readonly string[] = []) {
  const { dataFolder, key, remove } = await makeDataFolder(seed)
  const [platformPort, port] = [await freePort(), await freePort()]
  const shared = { DATA_DIR: dataFolder, ASSAY_DEMO: 'off', LOG_LEVEL: 'error' }
  const platform = startProcess([...nodeArguments, 'platform/main.ts'], { ...shared, PLATFORM_PORT: `${platformPort}` })
  const platformUrl = `http://127.0.0.1:${platformPort}`
  await waitUntilHealthy(platformUrl)
  const bff = startProcess(['BFF/main.ts'], { ...shared, PORT: `${port}`, PLATFORM_URL: platformUrl })
  const url = `http://127.0.0.1:${port}`
  await waitUntilHealthy(url)
  return {
    url,
    platformUrl,
    key,
    dataFolder,
    platform: platform.child,
    pids: { platform: platform.pid, bff: bff.pid },
    signIn: (apiKey: string) => signIn(url, apiKey),
    async stop() {
      await bff.stop()
      await platform.stop()
      await remove()
    },
  }
}

/** A child process, which ends with this one however this one ends. */
export function startProcess(args: readonly string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, ['--import', stopWithParent, ...args], {
    cwd: root,
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env, ...environment, ASSAY_STARTER_PID: `${process.pid}` },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  return {
    child,
    pid: child.pid ?? 0,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    /** Freezes the process, or resumes it. */
    signal: (name: 'SIGSTOP' | 'SIGCONT') => child.kill(name),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The session's cookie. */
export async function signIn(url: string, apiKey: string): Promise<string> {
  const headers = { [writeHeader]: '1', origin: url, 'content-type': 'application/json' }
  const response = await fetch(`${url}/session`, { method: 'POST', headers, body: JSON.stringify({ apiKey }) })
  if (!response.ok) throw new Error(`The sign-in answered ${response.status}: ${await response.text()}`)
  return response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
}

export async function waitUntilHealthy(url: string, everyMs = 20) {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await delay(everyMs)) {
    const response = await fetch(`${url}/healthz`).catch(() => null)
    if (response?.ok) return
  }
  throw new Error(`No healthy server answered at ${url}`)
}
