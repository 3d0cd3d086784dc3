import { Socket as DatagramSocket } from 'node:dgram'
import { type FileHandle, open } from 'node:fs/promises'
import { Server, type Socket } from 'node:net'

import { nameServerAddress } from '#platform/egress/named-hosts.ts'
import { type Listener, listenInside, type Place } from './listen-inside.ts'
import { type ListeningHost, placesOf, serveNames } from './name-server.ts'
import type { Forward, SandboxCommand } from './sandbox.ts'

/**
 * Connections of one port, and of all ports of a command, at the same time. More are closed at once, so that a run cannot
 * use up the service's.
 */
const maxConnections = { ofPort: 256, ofCommand: 512 }

/** A network namespace for one command. `enter` is the command line that starts a program in it. */
export type OwnNetwork = { enter: readonly string[]; close: () => void }

type Wanted = Pick<SandboxCommand, 'forwards' | 'names' | 'signal'>

type Options = Wanted & {
  /** Set for a service that is not root: it must enter the user namespace that owns the network first. */
  viaUserNamespace: boolean
}

/**
 * Creates a network that has only loopback, where each forward's port listens. A listening socket stays in the network
 * that created it, so the service itself accepts the connections: no process and no file is left that a command could
 * reach, and everything ends with the service. Throws if this machine cannot create it.
 */
export async function openOwnNetwork({ viaUserNamespace, ...wanted }: Options): Promise<OwnNetwork> {
  // Bubblewrap, because it is needed anyway and also starts the loopback interface.
  const namespaces = ['--unshare-user', '--unshare-net', '--die-with-parent', '--dev-bind', '/', '/']
  // Names need ports below 1024, now and when the network is entered again. The command's own bubblewrap drops both.
  const asRootInside = wanted.names ? ['--uid', '0', '--gid', '0', '--cap-add', 'CAP_NET_BIND_SERVICE'] : []
  const handles = new Array<FileHandle>()
  const closeHandles = () => handles.forEach((handle) => void handle.close())
  const enter = new Array<string>()
  const openNamespaces = async (pid: number) => {
    for (const kind of viaUserNamespace ? ['user', 'net'] : ['net']) handles.push(await open(`/proc/${pid}/ns/${kind}`))
    const [first, second] = handles.map(({ fd }) => `/proc/${process.pid}/fd/${fd}`)
    const places = second ? ['--preserve-credentials', `--user=${first}`, `--net=${second}`] : [`--net=${first}`]
    enter.push('nsenter', ...places, '--')
  }
  try {
    const start = ['bwrap', ...namespaces, ...asRootInside, '--']
    const close = await listenIn({ start, again: enter }, { ...wanted, onListening: openNamespaces })
    return {
      enter,
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

/** `start` is the command line that enters a network for the first time, `again` the one for later. */
type Entrance = { start: readonly string[]; again: readonly string[] }

type Listen = Wanted & { onListening?: (pid: number) => Promise<void> }

/** Listens in a network. Returns a function that ends all connections. */
export async function listenIn({ start, again }: Entrance, { forwards, names, signal, onListening }: Listen) {
  const servers = new Array<Server | DatagramSocket>()
  const connections = new Set<Socket>()
  const ended = new AbortController()
  const close = () => {
    ended.abort()
    for (const server of servers.splice(0)) server.close()
    for (const connection of connections) connection.destroy()
  }
  const failures = new Array<string>()
  const take = (listener: Listener, onConnection: Forward['onConnection']) => {
    if (typeof listener === 'string') return
    servers.push(listener)
    if (listener instanceof Server) accept(listener, connections, onConnection)
    if (ended.signal.aborted) close()
  }

  const listen = async (hosts: readonly ListeningHost[]) => {
    const byAddress = new Map(hosts.map((entry) => [entry.host.address, entry]))
    const options = {
      signal: ended.signal,
      onListener({ address, port }: Place, listener: Listener) {
        const entry = byAddress.get(address)
        if (typeof listener === 'string') entry?.failed.set(port, listener)
        take(listener, (connection) => entry?.host.onConnection(port, connection))
      },
    }
    const places = hosts.flatMap(({ host }) => placesOf(host))
    await listenInside(again, places, options)
  }

  const places: Place[] = forwards.map(({ port }) => ({ protocol: 'tcp', address: '127.0.0.1', port }))
  const nameServer: Place = { protocol: 'udp', address: nameServerAddress, port: 53 }
  try {
    await listenInside(start, names ? [...places, nameServer] : places, {
      signal,
      onListening,
      onListener({ port, address }, listener) {
        if (typeof listener === 'string') failures.push(`port ${port} of ${address}: ${listener}`)
        take(listener, forwards.find((forward) => forward.port === port)?.onConnection ?? (() => {}))
        if (listener instanceof DatagramSocket && names) serveNames(listener, { names, listen })
      },
    })
    if (failures.length > 0) throw new Error(`The network of the sandbox could not be created: ${failures.join(', ')}`)
    return close
  } catch (error) {
    close()
    throw error
  }
}

function accept(server: Server, connections: Set<Socket>, onConnection: Forward['onConnection']) {
  server.maxConnections = maxConnections.ofPort
  // A client that has sent everything still waits for the answer.
  Object.assign(server, { allowHalfOpen: true })
  server.on('error', () => {})
  server.on('connection', (connection) => {
    // A command may reset its connection at any time.
    connection.on('error', () => {})
    if (connections.size >= maxConnections.ofCommand) return void connection.resetAndDestroy()
    connections.add(connection)
    connection.once('close', () => connections.delete(connection))
    onConnection(connection)
  })
}
