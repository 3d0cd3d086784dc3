import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import type { KeyKind, Role } from '#contract/identity.ts'
import { serverFile } from '#tools/build-servers.mjs'
import { copyFolder, keepState } from './kept-state.ts'

/** The programs as `npm start` runs them: bundled, which starts in a third of the time. */
const main = await serverFile('platform')
export const cli = await serverFile('assay')

/** As the starter does: without it, half of a process's start is spent on one package.json. */
export const preloaded = ['--import', new URL('../../../tools/resolve-once.mjs', import.meta.url).href]

/**
 * Starts the real platform process on a data folder and a free port, and waits until it responds. With `probe`, a module
 * that it loads first, it measures its own thread.
 */
export async function startPlatformProcess(
  dataFolder: string,
  environment: Record<string, string> = {},
  probe?: string,
) {
  const child = spawn(process.execPath, [...preloaded, ...(probe === undefined ? [] : ['--import', probe]), main], {
    env: { ...process.env, PLATFORM_PORT: '0', DATA_DIR: dataFolder, ASSAY_DEMO: 'off', ...environment },
    stdio: ['ignore', 'inherit', 'pipe', ...(probe === undefined ? [] : (['ipc'] as const))],
  })
  let complaints = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  const ended = once(child, 'exit')
  const url = await Promise.race([findUrl(dataFolder, child.pid), ended.then(() => null)])

  return {
    /** Null if the process ended instead; `complaints` then says why. */
    url,
    pid: child.pid,
    complaints: () => complaints,
    /** What its probe answers. */
    async askProbe(question: string): Promise<unknown> {
      child.send(question)
      return (await once(child, 'message'))[0]
    },
    /** Returns the exit code, which is null after SIGKILL. */
    async stop(signal: 'SIGTERM' | 'SIGKILL') {
      child.kill(signal)
      const [exitCode] = (await ended) as [number | null]
      return exitCode
    },
  }
}

/** The file of an earlier, killed process names a port that does not respond. */
async function findUrl(dataFolder: string, pid: number | undefined): Promise<string> {
  for (;;) {
    const text = await readFile(join(dataFolder, 'operator.json'), 'utf8').catch(() => '{}')
    const { port, pid: announced } = JSON.parse(text) as { port?: number; pid?: number }
    const url = `http://127.0.0.1:${port}`
    const isUp =
      port !== undefined &&
      announced === pid &&
      (await fetch(`${url}/healthz`).then(
        (response) => response.ok,
        () => false,
      ))
    if (isUp) return url
    await delay(50)
  }
}

/** Puts an empty, migrated state database into a new data folder, so that the first process need not make one. */
export const seedState = async (dataFolder: string) => copyFolder(await keepState(), join(dataFolder, 'state'))

/** Returns the output of `npm run -s assay -- …` for a data folder; throws its error output. */
export function assay(dataFolder: string, ...args: string[]) {
  const env = { ...process.env, DATA_DIR: dataFolder, ASSAY_DEMO: 'off' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [...preloaded, cli, ...args], {
    encoding: 'utf8',
    env,
  })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim()
}

/** Creates the organization `lab` and the first key with access to it. */
export function createLab(dataFolder: string, { role, kind }: { role: Role; kind: KeyKind }) {
  assay(dataFolder, 'org', 'create', '--slug', 'lab')
  const who = ['--org', 'lab', '--email', 'a@lab.example', '--role', role, '--kind', kind]
  return assay(dataFolder, 'key', 'create', ...who)
}

/** Polls ten times a second until `look` returns a value. */
export async function waitForValue<Value>(seconds: number, look: () => Promise<Value | null>): Promise<Value> {
  for (let left = seconds * 10; left > 0; left -= 1) {
    const found = await look()
    if (found !== null) return found
    await delay(100)
  }
  throw new Error(`Nothing happened within ${seconds} seconds`)
}
