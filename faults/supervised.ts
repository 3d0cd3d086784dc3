import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const preloads = ['resolve-once', 'stop-with-parent'].flatMap((name) => [
  '--import',
  new URL(`../tools/${name}.mjs`, import.meta.url).href,
])

type Program = {
  name: string
  args: readonly string[]
  environment: Record<string, string>
  logFile: string
  isReady: () => Promise<boolean>
}

const restartMs = 500

/**
 * A program of the installation that starts again whenever it ends, as under a service manager. `endedByItself` lists
 * the times it ended although nobody killed it and it had been ready.
 */
export function supervise({ name, args, environment, logFile, isReady }: Program) {
  const endedByItself: string[] = []
  let child: ChildProcess
  let wasReady = false
  let isFrozen = false
  let wasKilled = false
  let isStopping = false

  function start() {
    wasReady = false
    wasKilled = false
    child = spawn(process.execPath, [...preloads, ...args], {
      cwd: root,
      env: { ...process.env, ...environment, ASSAY_STARTER_PID: `${process.pid}` },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const started = child
    const log = (text: string) => appendFileSync(logFile, text)
    log(`${new Date().toISOString()} started as ${child.pid}\n`)
    for (const output of [child.stdout, child.stderr]) output?.setEncoding('utf8').on('data', log)
    child.once('exit', (code, signal) => {
      log(`${new Date().toISOString()} ended with ${signal ?? code}\n`)
      if (isStopping) return
      if (!wasKilled && wasReady) endedByItself.push(`${name} ended by itself with ${signal ?? `code ${code}`}`)
      setTimeout(() => !isStopping && start(), restartMs)
    })
    void notice(started)
  }

  async function notice(started: ChildProcess) {
    while (isAlive(started)) {
      if (await isReady()) {
        wasReady = started === child && isAlive(started)
        return
      }
      await delay(100)
    }
  }

  const isUp = () => wasReady && isAlive(child) && !isFrozen

  start()
  return {
    name,
    endedByItself,
    pid: () => child.pid ?? 0,
    isReady: isUp,
    async untilReady() {
      for (let left = 1200; !isUp() && left > 0; left -= 1) await delay(100)
      if (!isUp()) throw new Error(`${name} did not become ready. Its log is ${logFile}`)
    },
    kill() {
      wasKilled = true
      return child.kill('SIGKILL')
    },
    freeze() {
      isFrozen = true
      child.kill('SIGSTOP')
    },
    thaw() {
      isFrozen = false
      child.kill('SIGCONT')
    },
    async stop() {
      isStopping = true
      child.kill('SIGCONT')
      if (!isAlive(child)) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

export type Supervised = ReturnType<typeof supervise>

const isAlive = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

/** Whether a server on this machine answers on its port. */
export const responds = (port: number) =>
  fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(1000) }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.ok
    },
    () => false,
  )
