import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const findProgram = (name: string) =>
  ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin'].map((folder) => join(folder, name)).find(existsSync)

/** Why no container engine can be started on this machine, or null. */
export const whyNoEngine =
  process.getuid?.() !== 0
    ? 'not root'
    : (['dockerd', 'containerd', 'runc', 'nsenter']
        .filter((name) => findProgram(name) === undefined)
        .map((name) => `not installed: ${name}`)
        .at(0) ?? null)

const startMs = 20_000

/** Starts a Docker daemon of its own in a temporary folder, without a network. Throws if it does not start here. */
export async function openTestEngine() {
  const folder = await mkdtemp(join(tmpdir(), 'assay-dockerd-'))
  const socketPath = join(folder, 'socket')
  const network = ['--iptables=false', '--ip6tables=false', '--bridge=none']
  const folders = ['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec'), '-p', join(folder, 'pid')]
  const daemon = spawn('dockerd', [...network, '-H', `unix://${socketPath}`, ...folders], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  daemon.stderr.on('data', (chunk) => (log = (log + String(chunk)).slice(-2000)))
  const ended = new Promise<void>((done) => daemon.once('close', () => done()))
  const close = async () => {
    daemon.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  const deadline = performance.now() + startMs
  while (!(await answers(socketPath))) {
    if (daemon.exitCode === null && performance.now() < deadline) {
      await delay(50)
      continue
    }
    await close()
    throw new Error(`dockerd does not start here: ${log.trim().split('\n').at(-1)}`)
  }
  return { socketPath, close, signal: (name: NodeJS.Signals) => daemon.kill(name) }
}

const answers = (socketPath: string) =>
  new Promise<boolean>((done) => {
    const sent = request({ socketPath, path: '/_ping' }, (answer) => {
      answer.resume()
      done(answer.statusCode === 200)
    })
    sent.once('error', () => done(false))
    sent.end()
  })
