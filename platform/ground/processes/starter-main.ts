// Starts processes for the service: the kernel copies the memory map of whoever starts one, and the service's is large.
import { type ChildProcess, type SendHandle, spawn } from 'node:child_process'
import { closeSync, openSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'

import { messageOf } from '#contract/wire/message-of.ts'
import { confinedStdio } from '#platform/ground/confinement/confined-stdio.ts'
import { writeToPipe } from '#platform/ground/confinement/write-to-pipe.ts'
import { closeHandle } from './close-handle.ts'
import { lowerPriority } from './lower-priority.ts'
import { connectionName, type Start, type StarterMessage, type StartRequest } from './starter-messages.ts'

const [socketPath = ''] = process.argv.slice(2)

process.umask(0o077)

/** What it starts has the same: on a busy machine the service answers before runs continue, and runs before content is read. */
const niceness = 3
lowerPriority(niceness)

/** The service has ended. What was started sees its connections close, and ends with its parent if it asked for that. */
function end() {
  rmSync(dirname(socketPath), { recursive: true, force: true })
  process.exit()
}
process.on('disconnect', end)
// It may have ended while this program was loading. And Node emits no event if it ends while a socket is on its way to it.
if (!process.connected) end()
setInterval(() => process.connected || end(), 1000)

const tell = (message: StarterMessage) => void (process.connected && process.send?.(message))

/** A process gets its end as input, output or error output, and then has its connection to the service for itself. */
const connectToService = (key: string, fd: number) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect(socketPath)
    socket.once('error', reject)
    socket.once('connect', () => socket.write(connectionName(key, fd), () => resolve(socket)))
  })

type Opened = { connections: Socket[]; files: number[] }

async function start(request: StartRequest) {
  const { key, statusFd } = request
  const opened: Opened = { connections: [], files: [] }
  const child = await launch(request, opened).finally(() => {
    // Before the service hears of the start: what it then sends is for the process.
    for (const connection of opened.connections) connection.destroy()
    for (const file of opened.files) closeSync(file)
  })
  const failed = new Promise<Error>((resolve) => child.once('error', resolve))
  if (child.pid === undefined) throw await failed
  tell({ key, said: 'started', pid: child.pid })
  for (const [fd, descriptor] of request.descriptors ?? [])
    if ('reads' in descriptor) writeToPipe(child, fd, descriptor.reads)
  if (statusFd !== undefined) tellStatus(child, { key, statusFd })
  child.on('message', (message, handle) => passOn(key, message, handle))
  child.once('exit', (exitCode, signal) => {
    // What it started may live on, and has the other end.
    if (child.connected) child.disconnect()
    tell({ key, said: 'exited', exitCode, signal })
  })
}

/** The service gets the only socket: one that stayed open here would take connections, too. */
function passOn(key: string, message: unknown, handle: SendHandle | undefined) {
  const close = () => closeHandle(handle)
  const told: StarterMessage = { key, said: 'message', message }
  if (process.connected) process.send?.(told, handle, {}, close)
  else close()
}

async function launch(request: StartRequest, { connections, files }: Opened): Promise<ChildProcess> {
  const { key, command, args, env, cwd, sendsMessages = false } = request
  for (const fd of [0, 1, 2]) connections.push(await connectToService(key, fd))
  const channel = sendsMessages ? (['ipc'] as const) : []
  const stdio = confinedStdio([...connections, ...descriptorsOf(request, files), ...channel])
  // Detaches from the terminal: Ctrl-C must reach only the service, which then stops the process in order.
  return withUsualUmask(() => spawn(command, [...args], { stdio, env: { ...env }, cwd, detached: true }))
}

/** Commands of a run get the usual umask, because their tests may depend on it. */
function withUsualUmask<Child>(start: () => Child): Child {
  const ownMask = process.umask(0o022)
  try {
    return start()
  } finally {
    process.umask(ownMask)
  }
}

/** From the third on, as Node wants them. */
function descriptorsOf({ descriptors = new Map(), statusFd = 0 }: Start, files: number[]) {
  const count = Math.max(2, statusFd, ...descriptors.keys()) - 2
  return Array.from({ length: count }, (_, index) => {
    const fd = index + 3
    const descriptor = descriptors.get(fd)
    // A process would inherit a pipe that it does not expect.
    if (descriptor === undefined) return fd === statusFd ? ('pipe' as const) : ('ignore' as const)
    if ('reads' in descriptor) return 'pipe' as const
    const file = openSync(descriptor.opens, 'r')
    files.push(file)
    return file
  })
}

function tellStatus({ stdio }: ChildProcess, { key, statusFd }: { key: string; statusFd: number }) {
  const pipe = stdio[statusFd]
  if (!(pipe instanceof Readable)) return
  pipe.setEncoding('utf8').on('data', (text: string) => tell({ key, said: 'status', text }))
  pipe.on('error', () => {}).once('close', () => tell({ key, said: 'status', text: null }))
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

process.on('message', (request: StartRequest) => {
  start(request).catch((error: unknown) => {
    const reason = messageOf(error)
    tell({ key: request.key, said: 'failed', reason, code: codeOf(error) })
  })
})
