import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

import type { NetworkPolicy } from '#contract/network-policy.ts'
import { authorityOf, type Destination, isListed, notAHostName, parseAuthority, policyAllows } from './destination.ts'
import { dial, dialUpstream, tunnelUpstream, upstreamCredentials } from './dial.ts'
import type { EgressSettings } from './egress-settings.ts'
import { type NamedHosts, openNamedHosts } from './named-hosts.ts'
import { createNetworkRecord, type HostTraffic } from './network-record.ts'
import { sendPlainRequest } from './plain-request.ts'
import { askNameServers, EgressRefusal, resolveDestination } from './resolve-destination.ts'

type EgressOptions = {
  policy: NetworkPolicy
  /** Hosts that the run policy blocks, whatever the policy allows. */
  blockedHosts?: readonly string[]
  settings: EgressSettings
  /** The time for the headers of a request, from the start of its connection. */
  headerMs?: number
}

/** `isOutage`: the connection was allowed, but the host or the name servers did not answer. */
export type FailedConnection = { reason: string; isOutage: boolean }

/** The access of one run to other hosts. `forward` belongs in the network of each of its commands. */
export type Egress = {
  forward: { port: number; onConnection: (connection: Socket) => void }
  /** For programs that use no proxy; null if the policy lists no hosts. */
  names: NamedHosts | null
  hosts: () => HostTraffic[]
  lastFailure: () => FailedConnection | null
  /** Ends all connections. */
  close: () => void
}

/** The port of the proxy in the network of a command. */
export const egressPort = 8601

const maxHeaderBytes = 16 * 1024
const defaultHeaderMs = 15_000
const idleMs = 600_000
const maxActive = 128

/**
 * An HTTP proxy for one run. Each connection carries one request: CONNECT, or a request with an absolute http URL. The
 * destination is checked against the definition's policy, resolved once, and its address checked before it is dialed.
 */
export function openEgress(options: EgressOptions): Egress {
  const { policy, blockedHosts = [], settings, headerMs = defaultHeaderMs } = options
  const record = createNetworkRecord()
  const sockets = new Set<Socket>()
  const waiting = new WeakMap<Duplex, NodeJS.Timeout>()
  const { exceptions, upstream, resolve = askNameServers } = settings

  let active = 0
  let lastFailure: FailedConnection | null = null

  /** Throws EgressRefusal, or an error of the connection. */
  const open = async (destination: Destination, viaUpstream: (upstream: URL) => Promise<Socket>) => {
    if (active >= maxActive) throw new EgressRefusal('The run had too many connections at the same time.')
    active += 1
    try {
      if (!policyAllows(policy, destination))
        throw new EgressRefusal('The environment does not allow this host and port.')
      if (
        isListed(blockedHosts, destination) ||
        (blockedHosts.length > 0 && policy === true && isIP(destination.host) !== 0)
      )
        throw new EgressRefusal('The run policy blocks this host, or blocks bare IP addresses.')
      const rules = { exceptions, resolve, mayBeUnknown: upstream !== null }
      const { addresses, isExcepted } = await resolveDestination(destination, rules)
      const socket = upstream && !isExcepted ? await viaUpstream(upstream) : await dial(addresses, destination.port)
      sockets.add(socket)
      socket.once('close', () => {
        active -= 1
        sockets.delete(socket)
      })
      socket.setTimeout(idleMs, () => socket.destroy())
      record.connected(destination, socket)
      return socket
    } catch (error) {
      active -= 1
      throw error
    }
  }

  const tunnel = async (asked: IncomingMessage, client: Duplex, head: Buffer) => {
    const destination = parseAuthority(asked.url ?? '')
    try {
      if (!destination) throw malformed(asked)
      const socket = await open(destination, (proxy) => tunnelUpstream(proxy, destination))
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) socket.write(head)
      join(client, socket)
    } catch (error) {
      const { status, text } = failed(destination ?? malformedDestination(asked), error)
      client.end(`HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${text}`)
    }
  }

  /** For a program that took this connection for one to the destination itself. */
  const direct = async (destination: Destination, client: Socket) => {
    client.setTimeout(idleMs, () => client.destroy())
    try {
      join(client, await open(destination, (proxy) => tunnelUpstream(proxy, destination)))
    } catch (error) {
      failed(destination, error)
      // A plain end would look like an empty answer.
      client.resetAndDestroy()
    }
  }

  const plain = async (asked: IncomingMessage, answer: ServerResponse) => {
    const url = URL.parse(asked.url ?? '')
    const destination = url?.protocol === 'http:' && url.username === '' ? parseAuthority(url.host, 80) : null
    try {
      if (!url || !destination) throw malformed(asked)
      let isViaUpstream = false
      const socket = await open(destination, (proxy) => {
        isViaUpstream = true
        return dialUpstream(proxy)
      })
      const path = isViaUpstream ? url.href : url.pathname + url.search
      const headers = isViaUpstream && upstream ? upstreamCredentials(upstream) : {}
      sendPlainRequest(asked, answer, { socket, path, headers, host: url.host })
    } catch (error) {
      const { status, text } = failed(destination ?? malformedDestination(asked), error)
      answer.writeHead(Number.parseInt(status, 10), { 'content-type': 'text/plain', connection: 'close' }).end(text)
    }
  }

  const failed = (destination: Destination, error: unknown) => {
    if (error instanceof EgressRefusal) {
      record.refused(destination, error.message)
      lastFailure = { reason: error.message, isOutage: error.isOutage }
      return { status: '403 Forbidden', text: `Refused: ${authorityOf(destination)}. ${error.message}\n` }
    }
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
    const reason = `The connection failed: ${code}.`
    record.refused(destination, reason)
    lastFailure = { reason, isOutage: true }
    return { status: '502 Bad Gateway', text: `The connection to ${authorityOf(destination)} failed: ${code}\n` }
  }

  const server = createServer({ maxHeaderSize: maxHeaderBytes, requireHostHeader: false })
  // One request per connection: what follows it is never read as another request.
  server.maxRequestsPerSocket = 1
  const hasHeaders = (socket: Duplex) => clearTimeout(waiting.get(socket))
  server.on('connect', (asked, client, head) => {
    hasHeaders(client)
    void tunnel(asked, client, head)
  })
  server.on('request', (asked, answer) => {
    hasHeaders(asked.socket)
    // With only the limit above, the connection would stay open for the time that Node keeps idle ones.
    answer.shouldKeepAlive = false
    void plain(asked, answer)
  })
  server.on('clientError', (_, client) => client.destroy())
  const onConnection = (connection: Socket) => {
    // A server that does not listen itself never applies its headersTimeout.
    waiting.set(
      connection,
      setTimeout(() => connection.destroy(), headerMs),
    )
    connection.once('close', () => hasHeaders(connection))
    connection.setTimeout(idleMs, () => connection.destroy())
    server.emit('connection', connection)
  }
  const close = () => {
    for (const socket of sockets) socket.destroy()
  }
  const names = openNamedHosts({
    policy,
    blockedHosts,
    onConnection: (destination, connection) => void direct(destination, connection),
    refused: record.refused,
  })
  return {
    forward: { port: egressPort, onConnection },
    names,
    hosts: record.hosts,
    lastFailure: () => lastFailure,
    close,
  }
}

const malformed = ({ method }: IncomingMessage) =>
  new EgressRefusal(
    method === 'CONNECT'
      ? 'CONNECT needs a host and a port.'
      : 'This is a proxy: it needs an absolute http URL, or CONNECT for https.',
  )

/** A host name has up to 253 characters. The whole list of a run is masked and written every few seconds while it changes. */
const maxRecordedCharacters = 500

/** For the record, so that a run that sends nonsense is seen. Whole, because half of a secret could not be masked. */
const malformedDestination = ({ url = '' }: IncomingMessage): Destination => ({
  host: url.length > maxRecordedCharacters ? notAHostName : url,
  port: 0,
})

function join(client: Duplex, server: Socket) {
  if (client.destroyed) return void server.destroy()
  client.pipe(server)
  server.pipe(client)
  client.once('close', () => server.destroySoon())
  server.once('close', () => (client as Socket).destroySoon())
}
