import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'

import { node, root } from './installed.mjs'

const graceMs = 10_000
const compileCache = join(root, 'node_modules/.cache/compile')
const preloaded = ['stop-with-parent', 'resolve-once'].flatMap((name) => [
  '--import',
  new URL(`./${name}.mjs`, import.meta.url).href,
])

/** Starts and stops the program's processes as one: none outlives the others. */
export function createChildren({ logFolder, showOutput, onCrash }) {
  const running = new Map()
  let stopping = false
  mkdirSync(logFolder, { recursive: true })

  function start(name, script, environment, nodeFlags = []) {
    const log = showOutput ? undefined : openLog(logFolder, name)
    const output = log?.descriptor ?? 'inherit'
    const child = spawn(node, [...preloaded, ...nodeFlags, script], {
      cwd: root,
      // Types are stripped and code compiled once, not at every start.
      env: { NODE_COMPILE_CACHE: compileCache, ...process.env, ...environment, ASSAY_STARTER_PID: String(process.pid) },
      stdio: ['ignore', output, output, 'ipc'],
    })
    if (log) closeSync(log.descriptor)
    const ended = new Promise((resolve) => child.once('exit', resolve))
    running.set(name, { child, ended })
    child.once('exit', (code, signal) => {
      running.delete(name)
      if (!stopping) onCrash(`The ${name} stopped (${signal ?? `exit code ${code}`}).${lastLines(log?.path)}`)
    })
  }

  /** Asks first, then insists. */
  async function stopAll() {
    stopping = true
    await Promise.all(
      [...running.values()].map(async ({ child, ended }) => {
        child.kill('SIGTERM')
        const insist = setTimeout(() => child.kill('SIGKILL'), graceMs)
        await ended
        clearTimeout(insist)
      }),
    )
  }

  return { start, stopAll }
}

export async function isPortTaken(port) {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => resolve(true) || socket.destroy())
    socket.once('error', () => resolve(false))
  })
}

/** Resolves when the server answers /healthz with 200. */
export async function waitUntilHealthy(port, { signal, seconds = 120 }) {
  const deadline = Date.now() + seconds * 1000
  while (Date.now() < deadline && !signal.aborted) {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal }).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  if (!signal.aborted) throw new Error(`Nothing healthy answered on port ${port} within ${seconds} seconds.`)
}

/** This run's log, with the run before kept beside it. */
function openLog(folder, name) {
  const path = join(folder, `${name}.log`)
  try {
    renameSync(path, join(folder, `${name}.previous.log`))
  } catch {
    // The first run has none before it.
  }
  return { path, descriptor: openSync(path, 'a', 0o600) }
}

function lastLines(path) {
  if (!path) return ''
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n').slice(-15)
  return `\nThe end of ${path}:\n${lines.map((line) => `  ${line.slice(0, 500)}`).join('\n')}`
}
