import { type ChildProcess, type SendHandle, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect, createServer, type Server, type Socket } from 'node:net'

import { closeHandle } from './close-handle.ts'
import { expectProcess, type StartedProcess } from './started-process.ts'
import {
  connectionNameBytes,
  readConnectionName,
  type Start,
  type StarterMessage,
  type StartRequest,
} from './starter-messages.ts'

/** A starter names its connections at once. */
const nameMs = 60_000

/** A server that hands over each connection after its name, with what comes behind it unread. */
const nameConnections = (onNamed: (name: string, connection: Socket) => unknown): Server =>
  createServer((connection) => {
    const timer = setTimeout(() => connection.destroy(), nameMs).unref()
    const fail = () => connection.destroy()
    const read = () => {
      const name = connection.read(connectionNameBytes)
      if (!(name instanceof Buffer)) return
      clearTimeout(timer)
      connection.off('readable', read).off('error', fail)
      onNamed(name.toString('latin1'), connection)
    }
    connection.on('readable', read).on('error', fail)
    connection.once('close', () => clearTimeout(timer))
  })

type OnMessage = (message: unknown, handle: SendHandle | undefined) => void

export type ProcessStarter = {
  /** The parent of what it starts. */
  pid: number
  /**
   * Rejects if the process cannot be started, with an Error that has the `code` of the system, such as ENOENT or E2BIG.
   * `onMessage` receives the messages of a process that sends some, also before this resolves.
   */
  start: (process: Start, onMessage?: OnMessage) => Promise<StartedProcess>
}

const program = fileURLToPath(new URL('./starter-main.ts', import.meta.url))

let current: Promise<ProcessStarter> | undefined

/**
 * Returns the starter of this process: a small process that starts others in its place, because starting one takes a large
 * process up to 70 ms in which it does nothing else. It is started when it is first needed, and again if it has ended.
 */
export function processStarter(): Promise<ProcessStarter> {
  const forget = () => (current = undefined)
  current ??= launch(forget).catch((error: unknown) => {
    forget()
    throw error
  })
  return current
}

type Expected = ReturnType<typeof expectProcess> & {
  needsStatus: boolean
  inBackground: boolean
  onMessage: OnMessage
}

async function launch(onEnd: () => void): Promise<ProcessStarter> {
  const expected = new Map<string, Expected>()
  const remove = (key: string) => {
    expected.delete(key)
    if (expected.values().every(({ inBackground }) => inBackground)) hold(child, false)
  }
  const removeIfOver = (key: string) => {
    const process = expected.get(key)
    if (process?.isOver(process.needsStatus)) remove(key)
  }
  const { path, close } = await listen((name, connection) => {
    const { key, fd } = readConnectionName(name)
    const process = expected.get(key)
    if (!process) return connection.destroy()
    process.connect(fd, connection)
    removeIfOver(key)
  })
  const { PATH, NODE_COMPILE_CACHE: cache } = process.env
  const child = spawn(process.execPath, ['--max-semi-space-size=1', program, path], {
    // The cache also saves it the compiler of TypeScript, half of its memory.
    env: { TZ: 'UTC', PATH, ...(cache && { NODE_COMPILE_CACHE: cache }) },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true,
  })
  const lose = (key: string, reason: string) => {
    expected.get(key)?.lose(reason)
    remove(key)
  }
  const end = (reason: string) => {
    onEnd()
    close()
    for (const key of expected.keys()) lose(key, reason)
  }
  child.on('message', (message: StarterMessage, handle) => {
    if (message.said === 'message')
      return (expected.get(message.key)?.onMessage ?? dropMessage)(message.message, handle)
    expected.get(message.key)?.hear(message)
    if (message.said === 'failed') remove(message.key)
    else removeIfOver(message.key)
  })
  child.once('error', ({ message }) => end(message))
  child.once('exit', () => end('The process that starts others has ended'))
  hold(child, false)
  return {
    pid: child.pid ?? 0,
    start(request, onMessage = dropMessage) {
      const key = randomUUID()
      const { statusFd, inBackground = false } = request
      const process = { ...expectProcess(), needsStatus: statusFd !== undefined, inBackground, onMessage }
      expected.set(key, process)
      if (!inBackground) hold(child, true)
      child.send({ ...request, key } satisfies StartRequest, (error) => error && lose(key, error.message))
      return process.started
    },
  }
}

/** For a message that nobody waits for. */
const dropMessage: OnMessage = (_, handle) => closeHandle(handle)

const prefix = 'assay-starter-'

/** A service has its socket long before. */
const abandonedAfterMs = 10 * 60_000

/** Removes folders of services that were killed before their starter ran, so that it could not remove them. */
async function removeAbandoned() {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    const path = join(tmpdir(), name)
    const found = await lstat(path).catch(() => null)
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue
    if (Date.now() - found.mtimeMs < abandonedAfterMs) continue
    if (!(await hasListener(join(path, 'socket')))) await rm(path, { recursive: true }).catch(() => {})
  }
}

/** False if the socket is missing, or its service has ended. True if that cannot be found out. */
const hasListener = (path: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      resolve(true)
      socket.destroy()
    })
    socket.once('error', (error) => resolve(!('code' in error && ['ENOENT', 'ECONNREFUSED'].includes(`${error.code}`))))
  })

/** Where the connections of started processes arrive. Only this user can reach it, and only the starter knows their names. */
async function listen(onNamed: Parameters<typeof nameConnections>[0]) {
  await removeAbandoned()
  const folder = await mkdtemp(join(tmpdir(), prefix))
  const path = join(folder, 'socket')
  const server = nameConnections(onNamed)
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeFolder)
  server.listen(path).unref()
  await once(server, 'listening')
  const close = () => {
    server.close()
    process.off('exit', removeFolder)
    removeFolder()
  }
  return { path, close }
}

/** An idle starter must not keep a command line tool from ending. */
function hold(child: ChildProcess, isNeeded: boolean) {
  for (const handle of [child, child.channel]) {
    if (isNeeded) handle?.ref()
    else handle?.unref()
  }
}
