import { type ChildProcess, spawn } from 'node:child_process'
import { type FileHandle, open } from 'node:fs/promises'
import { Server, type Socket } from 'node:net'

import type { Forward } from './sandbox.ts'

const startMs = 20_000

/** Normally the service ends this process much sooner. If the service is killed at the wrong moment, only this limit does. */
const maxLifeMs = 2 * startMs

/** Runs inside the new network: listens, hands each listening socket to the service, and ends. */
const listenInside = `
const { createServer } = require('node:net')
process.on('disconnect', () => process.exit())
setTimeout(process.exit, ${maxLifeMs})
for (const port of process.argv.slice(1)) {
  const server = createServer().listen(Number(port), '127.0.0.1', () => process.send({ port, pid: process.pid }, server))
}`

/** Connections of one port at the same time. More are closed at once, so that a run cannot use up the service's. */
const maxConnections = 256

/** A network namespace for one command. `enter` is the command line that starts a program in it. */
export type OwnNetwork = { enter: readonly string[]; close: () => void }

type Options = {
  forwards: readonly Forward[]
  /** Set for a service that is not root: it must enter the user namespace that owns the network first. */
  viaUserNamespace: boolean
  signal?: AbortSignal | undefined
}

/**
 * Creates a network that has only loopback, where each forward's port listens. A listening socket stays in the network
 * that created it, so the service itself accepts the connections: no process and no file is left that a command could
 * reach, and everything ends with the service. Throws if this machine cannot create it.
 */
export async function openOwnNetwork({ forwards, viaUserNamespace, signal }: Options): Promise<OwnNetwork> {
  // Bubblewrap, because it is needed anyway and also starts the loopback interface.
  const namespaces = ['--unshare-user', '--unshare-net', '--die-with-parent', '--dev-bind', '/', '/']
  const handles = new Array<FileHandle>()
  const closeHandles = () => handles.forEach((handle) => void handle.close())
  const openNamespaces = async (pid: number) => {
    for (const kind of viaUserNamespace ? ['user', 'net'] : ['net']) handles.push(await open(`/proc/${pid}/ns/${kind}`))
  }
  try {
    const start = ['bwrap', ...namespaces, '--']
    const close = await listenIn(start, { forwards, signal, onListening: openNamespaces })
    const [first, second] = handles.map(({ fd }) => `/proc/${process.pid}/fd/${fd}`)
    const enter = second ? ['--preserve-credentials', `--user=${first}`, `--net=${second}`] : [`--net=${first}`]
    return {
      enter: ['nsenter', ...enter, '--'],
      close() {
        close()
        closeHandles()
      },
    }
  } catch (error) {
    closeHandles()
    throw error
  }
}

type Listen = Pick<Options, 'forwards' | 'signal'> & {
  /** Called while the process that listens is alive. */
  onListening?: (pid: number) => Promise<void>
}

/** Listens in the network that `start` enters, a command line. Returns a function that ends all connections. */
export async function listenIn(start: readonly string[], { forwards, signal, onListening }: Listen) {
  const ports = forwards.map(({ port }) => String(port))
  const [program = '', ...args] = [...start, process.execPath, '-e', listenInside, '--', ...ports]
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { PATH: process.env['PATH'] },
    detached: true,
  })
  const opened = { servers: new Array<Server>(), connections: new Set<Socket>() }
  const close = () => {
    for (const server of opened.servers) server.close()
    for (const connection of opened.connections) connection.destroy()
  }
  try {
    const listening = await listeningServers(child, forwards.length, signal)
    opened.servers.push(...listening.servers.values())
    await onListening?.(listening.pid)
    for (const { port, onConnection } of forwards) {
      const server = listening.servers.get(port)
      if (server) accept(server, opened.connections, onConnection)
    }
    return close
  } catch (error) {
    close()
    throw error
  } finally {
    if (child.connected) child.disconnect()
    child.kill('SIGKILL')
  }
}

type Listening = { pid: number; servers: ReadonlyMap<number, Server> }

function listeningServers(child: ChildProcess, count: number, signal: AbortSignal | undefined): Promise<Listening> {
  const { promise, resolve, reject } = Promise.withResolvers<Listening>()
  const servers = new Map<number, Server>()
  let stderr = ''
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)))
  const fail = (reason: string) => {
    for (const server of servers.values()) server.close()
    reject(new Error(`The network of the sandbox could not be created: ${reason}`))
  }
  const stop = () => fail('the command was stopped')
  const timer = setTimeout(() => fail('it took too long'), startMs)
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  child.on('message', ({ port, pid }: { port: string; pid: number }, server) => {
    if (server instanceof Server) servers.set(Number(port), server)
    if (servers.size === count) resolve({ pid, servers })
  })
  child.once('error', (error) => fail(error.message))
  child.once('close', () => fail(stderr.trim().split('\n').at(-1) ?? 'bubblewrap ended'))
  return promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  })
}

function accept(server: Server, connections: Set<Socket>, onConnection: Forward['onConnection']) {
  server.maxConnections = maxConnections
  // A client that has sent everything still waits for the answer.
  Object.assign(server, { allowHalfOpen: true })
  server.on('error', () => {})
  server.on('connection', (connection) => {
    connections.add(connection)
    connection.once('close', () => connections.delete(connection))
    // A command may reset its connection at any time.
    connection.on('error', () => {})
    onConnection(connection)
  })
}
