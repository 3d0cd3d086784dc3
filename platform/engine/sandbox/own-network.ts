import { Socket as DatagramSocket } from 'node:dgram'
import { Server, type Socket } from 'node:net'

import { nameServerAddress } from '#platform/ground/egress/named-hosts.ts'
import { type Listener, listenInside, type Place } from './listen-inside.ts'
import { type ListeningHost, placesOf, serveNames } from './name-server.ts'
import type { Forward, SandboxCommand } from './sandbox.ts'

/**
 * Connections of one port, and of all ports of a world, at the same time. More are closed at once, so that a run cannot
 * use up the service's.
 */
const maxConnections = { ofPort: 256, ofWorld: 512 }

type Wanted = Pick<SandboxCommand, 'forwards' | 'names' | 'signal'>

/**
 * Listens in the network that `enter` enters, a command line. A listening socket stays in the network that created it, so
 * the service itself accepts the connections: no process and no file is left that a command could reach, and everything ends
 * with the service. Returns a function that ends all connections. Throws if it cannot listen.
 */
export async function listenIn(enter: readonly string[], { forwards, names, signal }: Wanted) {
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
    await listenInside(enter, places, options)
  }

  const places: Place[] = forwards.map(({ port }) => ({ protocol: 'tcp', address: '127.0.0.1', port }))
  const nameServer: Place = { protocol: 'udp', address: nameServerAddress, port: 53 }
  try {
    await listenInside(enter, names ? [...places, nameServer] : places, {
      signal,
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
    if (connections.size >= maxConnections.ofWorld) return void connection.resetAndDestroy()
    connections.add(connection)
    connection.once('close', () => connections.delete(connection))
    onConnection(connection)
  })
}
