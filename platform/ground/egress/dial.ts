import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

import { authorityOf, type Destination } from './destination.ts'

const dialMs = 10_000

/** Addresses of one host that are tried. */
const maxAddresses = 3

/** Connects to the first of the addresses that answers. Throws the error of the last one. */
export async function dial(addresses: readonly string[], port: number): Promise<Socket> {
  let failure: unknown
  for (const host of addresses.slice(0, maxAddresses)) {
    const socket = connect({ host, port, allowHalfOpen: true })
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(dialMs) })
      return ready(socket)
    } catch (error) {
      failure = error
      socket.destroy()
    }
  }
  throw failure
}

/** Connects to the operator's proxy. */
export async function dialUpstream(upstream: URL): Promise<Socket> {
  const isTls = upstream.protocol === 'https:'
  const host = upstream.hostname.replace(/^\[|\]$/g, '')
  const port = Number(upstream.port || (isTls ? 443 : 80))
  const socket = isTls ? connectTls({ host, port, servername: host }) : connect({ host, port, allowHalfOpen: true })
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(dialMs) })
    return ready(socket)
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** Opens a tunnel through the operator's proxy. */
export async function tunnelUpstream(upstream: URL, destination: Destination): Promise<Socket> {
  const connection = await dialUpstream(upstream)
  const authority = authorityOf(destination)
  const headers = { host: authority, ...upstreamCredentials(upstream) }
  const asked = request({ method: 'CONNECT', path: authority, headers, createConnection: () => connection })
  asked.end()
  try {
    const [response, socket, head] = await once(asked, 'connect', { signal: AbortSignal.timeout(dialMs) })
    if (response.statusCode !== 200) throw new Error(`The operator's proxy answered ${response.statusCode}`)
    if (head.length > 0) socket.unshift(head)
    return ready(socket)
  } catch (error) {
    connection.destroy()
    throw error
  }
}

export function upstreamCredentials({ username, password }: URL): Record<string, string> {
  if (username === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}

function ready(socket: Socket) {
  // The reader of the socket handles its end.
  socket.on('error', () => {})
  return socket
}
