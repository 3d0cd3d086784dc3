import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

import { afterEach, describe, expect, test } from 'vitest'

import type { NetworkPolicy } from '#contract/network-policy.ts'
import { openEgress } from './egress-proxy.ts'
import { parseEgressExceptions, type ResolveHost } from './egress-settings.ts'

const opened: (() => void)[] = []
afterEach(() => {
  for (const close of opened.splice(0)) close()
})

async function listen(server: Server, host = '127.0.0.1') {
  server.listen(0, host)
  await once(server, 'listening')
  opened.push(() => server.close())
  return (server.address() as AddressInfo).port
}

type Setup = {
  headerMs?: number
  blockedHosts?: string[]
  policy?: NetworkPolicy
  allow?: string
  resolve?: ResolveHost
  upstream?: string
}

/** An egress proxy that listens on a port of this machine, as it does inside the network of a run. */
async function start({ policy = true, allow = '', resolve, upstream, ...times }: Setup = {}) {
  const exceptions = parseEgressExceptions(allow)
  const settings = {
    exceptions,
    upstream: upstream === undefined ? null : new URL(upstream),
    ...(resolve && { resolve }),
  }
  const egress = openEgress({ policy, settings, ...times })
  opened.push(egress.close)
  const server = createServer({ allowHalfOpen: true }, egress.forward.onConnection)
  const port = await listen(server)
  const send = async (bytes: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(bytes)
    return text(socket)
  }
  return { egress, port, send, ask: (authority: string) => send(`CONNECT ${authority} HTTP/1.1\r\n\r\n`) }
}

/** A web server on this machine that repeats what it received. */
async function startEcho(host = '127.0.0.1') {
  const seen: Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'>[] = []
  const server = createHttpServer(async (request, response) => {
    seen.push({ method: request.method, url: request.url, rawHeaders: request.rawHeaders })
    response
      .setHeader('connection', 'x-secret, close')
      .setHeader('x-secret', '1')
      .end(`body: ${await text(request)}`)
  })
  return { port: await listen(server, host), seen }
}

const resolvesTo =
  (...addresses: string[]): ResolveHost =>
  async () =>
    addresses

const own = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address

describe('with network: true', () => {
  test.each([
    ['127.0.0.1:80', 'It is a loopback address.'],
    ['localhost:80', 'It is a local host name.'],
    ['a.localhost.:80', 'It is a local host name.'],
    ['127.8.8.8:80', 'It is a loopback address.'],
    ['2130706433:80', 'It is a loopback address.'],
    ['0x7f000001:80', 'It is a loopback address.'],
    ['0x7f.1:80', 'It is a loopback address.'],
    ['0177.0.0.1:80', 'It is a loopback address.'],
    ['[::1]:80', 'It is a loopback address.'],
    ['[::ffff:127.0.0.1]:80', 'It is an IPv4 address written as IPv6.'],
    ['[::127.0.0.1]:80', 'It is a reserved address.'],
    ['[64:ff9b::7f00:1]:80', 'It is an IPv4 address written as IPv6.'],
    ['[2002:7f00:1::]:80', 'It is an IPv4 address written as IPv6.'],
    ['[::]:80', 'It is the unspecified address.'],
    ['0.0.0.0:80', 'It is the unspecified address.'],
    ['0:80', 'It is the unspecified address.'],
    ['169.254.169.254:80', 'It is the metadata address of a cloud machine.'],
    ['168.63.129.16:80', 'It is the metadata address of a cloud machine.'],
    ['169.254.0.1:80', 'It is a link-local address.'],
    ['[fe80::1]:80', 'It is a link-local address.'],
    ['[fd00:ec2::254]:80', 'It is a private address.'],
    ['10.0.0.1:80', 'It is a private address.'],
    ['172.16.0.1:22', 'It is a private address.'],
    ['192.168.1.1:443', 'It is a private address.'],
    ['100.100.100.200:80', 'It is a carrier-grade NAT address.'],
    ['224.0.0.1:80', 'It is a multicast address.'],
    ['255.255.255.255:80', 'It is a broadcast address.'],
    ['192.0.0.192:80', 'It is a reserved address.'],
  ])('%s is refused and recorded: %s', async (authority, reason) => {
    const { egress, ask, send } = await start()
    expect(await ask(authority)).toMatch(/^HTTP\/1\.1 403 /)
    expect(await send(`GET http://${authority}/ HTTP/1.1\r\nHost: example.com\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /)
    const hosts = egress.hosts()
    expect(hosts).toMatchObject([{ connections: 0, refusals: 2, refusedBecause: reason }])
  })

  test.skipIf(!own)('an address of this machine is refused', async () => {
    const { egress, ask } = await start({ resolve: resolvesTo(own ?? '') })
    await ask('my-own-name.example:4401')
    expect(egress.hosts()).toMatchObject([
      { connections: 0, refusedBecause: expect.stringMatching(/^The host name resolves to an? /) },
    ])
  })

  test('a host name that resolves to a private address is refused', async () => {
    const { egress, ask } = await start({ resolve: resolvesTo('10.0.0.1', '::1') })
    expect(await ask('inside.example:80')).toContain('The host name resolves to a private address.')
    expect(egress.hosts()).toMatchObject([{ host: 'inside.example', port: 80, connections: 0, refusals: 1 }])
  })

  test('a host name is resolved once: a second answer with another address is never asked for', async () => {
    const { port } = await startEcho('127.0.0.2')
    const answers = [['127.0.0.2'], ['127.0.0.1']]
    let asked = 0
    const resolve: ResolveHost = async () => answers[asked++] ?? []
    const { egress, send } = await start({ resolve, allow: `127.0.0.2:${port}` })
    const get = `GET http://moves.example:${port}/ HTTP/1.1\r\nHost: moves.example\r\n\r\n`
    expect(await send(get)).toContain('body: ')
    expect(asked).toBe(1)
    expect(await send(get)).toContain('The host name resolves to a loopback address.')
    expect(egress.hosts()).toMatchObject([{ connections: 1, refusals: 1 }])
  })

  test('the usable addresses of a host with a private and another address are dialed', async () => {
    const { port } = await startEcho('127.0.0.2')
    const { send } = await start({ resolve: resolvesTo('10.0.0.1', '127.0.0.2'), allow: '127.0.0.2/32' })
    expect(await send(`GET http://both.example:${port}/ HTTP/1.1\r\n\r\n`)).toContain('body: ')
  })

  test.each([['/etc'], ['https://example.com/'], ['ftp://example.com/'], ['http://user@example.com/']])(
    'a request for %s is refused with a sentence',
    async (target) => {
      const { egress, send } = await start()
      expect(await send(`GET ${target} HTTP/1.1\r\n\r\n`)).toContain('it needs an absolute http URL')
      expect(egress.hosts()).toMatchObject([{ refusals: 1, port: 0 }])
    },
  )

  test.each(['example.com', 'example.com:0', 'example.com:99999', 'user@example.com:80', ':80', 'a:b:80'])(
    'CONNECT %s is refused as malformed',
    async (authority) => {
      const { ask } = await start()
      expect(await ask(authority)).toMatch(/^HTTP\/1\.1 (403|400) /)
    },
  )
})

describe('with a list of allowed hosts', () => {
  const policy = { allow: ['api.example.com', '*.example.org:443', '[2001:DB8::1]:8080'] }
  test.each([
    ['api.example.com:443', true],
    ['API.Example.com.:80', true],
    ['api.example.com:8080', false],
    ['x.api.example.com:443', false],
    ['a.b.example.org:443', true],
    ['example.org:443', false],
    ['a.example.org:80', false],
    ['evilexample.org:443', false],
    ['[2001:db8:0::1]:8080', true],
  ])('%s is allowed: %s', async (authority, isAllowed) => {
    const { egress, ask } = await start({ policy, resolve: resolvesTo('10.0.0.1') })
    await ask(authority)
    const reason = egress.hosts()[0]?.refusedBecause
    expect(reason !== 'The environment does not allow this host and port.').toBe(isAllowed)
    // An allowed name does not open a private address.
    expect(reason).not.toBeNull()
  })
})

describe('traffic', () => {
  test('a tunnel carries both directions, even after one side has ended, and its bytes are counted', async () => {
    const target = createServer({ allowHalfOpen: true }, async (socket) => socket.end(`${await text(socket)} back`))
    const port = await listen(target)
    const { egress, port: proxy } = await start({ allow: `127.0.0.1:${port}` })
    const client = connect({ port: proxy, host: '127.0.0.1', allowHalfOpen: true })
    client.end(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\nthere and`)
    expect(await text(client)).toBe('HTTP/1.1 200 Connection established\r\n\r\nthere and back')
    expect(egress.hosts()).toEqual([
      { host: '127.0.0.1', port, connections: 1, bytesUp: 9, bytesDown: 14, refusals: 0, refusedBecause: null },
    ])
  })

  test('a plain request keeps method, path, query and body, and loses hop-by-hop headers', async () => {
    const { port, seen } = await startEcho()
    const { send } = await start({ allow: `127.0.0.1:${port}` })
    const head = [
      `POST http://127.0.0.1:${port}/a%20b?c=d HTTP/1.1`,
      'Host: another.example',
      'Proxy-Authorization: Basic eDp5',
      'Connection: x-hop',
      'X-Hop: 1',
      'X-Kept: 1',
      'Content-Length: 5',
    ]
    const answer = await send(`${head.join('\r\n')}\r\n\r\nhello`)
    expect(answer).toContain('body: hello')
    expect(answer).not.toContain('x-secret')
    expect(seen).toMatchObject([{ method: 'POST', url: '/a%20b?c=d' }])
    const names = seen[0]?.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
    expect(names?.sort()).toEqual(['connection', 'content-length', 'host', 'x-kept'])
    expect(seen[0]?.rawHeaders).toContain(`127.0.0.1:${port}`)
  })

  test.each([
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
    [
      'a length and chunks',
      'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n',
    ],
    ['an unknown coding', 'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
    ['a bare line feed', 'X: 1\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a second request', '\r\nGET http://127.0.0.1/smuggled HTTP/1.1\r\n\r\n'],
    ['a body without a length', '\r\nGET /smuggled HTTP/1.1\r\n\r\n'],
  ])('a request with %s never becomes two requests', async (_, rest) => {
    const { port, seen } = await startEcho()
    const { send } = await start({ allow: `127.0.0.1:${port}` })
    await send(`POST http://127.0.0.1:${port}/first HTTP/1.1\r\nHost: x\r\n${rest}`)
    expect(seen.map(({ url }) => url).filter((url) => url !== '/first')).toEqual([])
  })

  test('headers above 16 KiB end the connection', async () => {
    const { send } = await start()
    expect(await send(`GET http://example.com/ HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`).catch(() => '')).toBe('')
  })

  test('a request whose headers arrive slowly is cut off, however often a byte arrives', async () => {
    const { port } = await start({ headerMs: 300 })
    const client = connect(port, '127.0.0.1')
    client.on('error', () => {}).write('GET http://example.com/ HTTP/1.1\r\n')
    const drip = setInterval(() => client.write('X: 1\r\n'), 20)
    // Not `once`, which rejects at the reset that a byte on its way gets.
    await new Promise((done) => client.resume().once('close', done))
    clearInterval(drip)
    expect(client.bytesRead).toBe(0)
  })

  test('the 129th connection at the same time is refused, and closing the proxy ends the others', async () => {
    const target = createServer()
    const port = await listen(target)
    const { egress, port: proxy } = await start({ allow: `127.0.0.1:${port}` })
    const clients: Socket[] = []
    const answers = await Promise.all(
      Array.from({ length: 130 }, async () => {
        const client = connect(proxy, '127.0.0.1')
        clients.push(client)
        client.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\n\r\n`)
        const [chunk] = await once(client, 'data')
        return String(chunk).slice(9, 12)
      }),
    )
    expect(answers.filter((status) => status === '200')).toHaveLength(128)
    expect(answers.filter((status) => status === '403')).toHaveLength(2)
    const ended = Promise.all(clients.map((client) => client.closed || once(client.resume(), 'close')))
    egress.close()
    await ended
    expect(egress.hosts()).toMatchObject([{ connections: 128, refusals: 2 }])
  })

  test('hosts beyond the first 500 are counted together', async () => {
    const { egress, ask } = await start({ resolve: resolvesTo('10.0.0.1') })
    for (let index = 0; index < 510; index += 1) await ask(`host-${index}.example:80`)
    const hosts = egress.hosts()
    expect(hosts).toHaveLength(501)
    expect(hosts.at(-1)).toMatchObject({ host: 'others', refusals: 10 })
  })

  test('long texts that name no host are counted together, without their words', async () => {
    const { egress, send } = await start()
    for (const letter of ['a', 'b', 'c']) await send(`GET /${letter.repeat(10_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
    expect(egress.hosts()).toMatchObject([{ host: 'not a host name', port: 0, refusals: 3 }])
  })

  test('what could be a secret is recorded whole, so that it can be masked, or not at all', async () => {
    const { egress, send } = await start({ policy: { allow: ['a.example'] } })
    const path = `/v1?key=${'x'.repeat(120)}`
    await send(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    expect(egress.names?.find('sec\\043ret')).toBeNull()
    expect(egress.hosts().map(({ host }) => host)).toEqual([path, 'not a host name'])
  })

  test('a request whose client left while its host was dialed leaves no connection behind', async () => {
    let hasEnded = false
    const target = createServer((socket) =>
      socket
        .on('error', () => {})
        .resume()
        .once('close', () => (hasEnded = true)),
    )
    const port = await listen(target)
    const [asked, found] = [Promise.withResolvers<void>(), Promise.withResolvers<string[]>()]
    const resolve: ResolveHost = () => {
      asked.resolve()
      return found.promise
    }
    const { port: proxy } = await start({ allow: '127.0.0.1', resolve })
    const client = connect(proxy, '127.0.0.1')
    client.write(`GET http://slow.example:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`)
    await asked.promise
    client.destroy()
    await delay(100)
    found.resolve(['127.0.0.1'])
    await expect.poll(() => hasEnded).toBe(true)
  })

  test('a connection that fails is recorded with its reason', async () => {
    const server = createServer()
    const port = await listen(server)
    await new Promise((closed) => server.close(closed))
    const { egress, ask } = await start({ allow: `127.0.0.1:${port}` })
    expect(await ask(`127.0.0.1:${port}`)).toMatch(/^HTTP\/1\.1 502 /)
    expect(egress.hosts()).toMatchObject([{ refusals: 1, refusedBecause: 'The connection failed: ECONNREFUSED.' }])
  })
})

describe("behind the operator's proxy", () => {
  async function startUpstream() {
    const asked: string[] = []
    const server = createHttpServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`)
      response.end('from upstream')
    })
    server.on('connect', (request, socket) => {
      asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`)
      socket.end('HTTP/1.1 200 OK\r\n\r\nfrom upstream')
    })
    return { asked, url: `http://me:p%40ss@127.0.0.1:${await listen(server)}` }
  }

  test('tunnels and plain requests go through it, even for names that only it knows', async () => {
    const { asked, url } = await startUpstream()
    const { ask, send } = await start({ upstream: url, resolve: resolvesTo() })
    expect(await ask('only-upstream.example:443')).toContain('from upstream')
    expect(await send('GET http://only-upstream.example/x HTTP/1.1\r\n\r\n')).toContain('from upstream')
    const credentials = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
    expect(asked).toEqual([
      `CONNECT only-upstream.example:443 ${credentials}`,
      `GET http://only-upstream.example/x ${credentials}`,
    ])
  })

  test('private addresses and local names are still refused, and exceptions are dialed directly', async () => {
    const { asked, url } = await startUpstream()
    const { port } = await startEcho()
    const { ask, send } = await start({ upstream: url, resolve: resolvesTo(), allow: `127.0.0.1:${port}` })
    for (const authority of ['10.0.0.1:80', 'localhost:80', 'a.localhost:80'])
      expect(await ask(authority)).toMatch(/^HTTP\/1\.1 403 /)
    expect(await send(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\n\r\n`)).toContain('body: ')
    expect(asked).toEqual([])
  })
})

test.each(['10.0.0.0/33', 'http://x', '*.example.com', 'a b:c', '10.0.0.1:99999'])(
  'the setting EGRESS_ALLOW refuses %s and names it',
  (entry) => {
    expect(() => parseEgressExceptions(entry)).toThrow(/must be a host/)
  },
)

describe('hosts that the run policy blocks', () => {
  test('are refused although the environment allows them, and so are bare IP addresses', async () => {
    const { port } = await startEcho()
    const blockedHosts = ['bad.example', '*.worse.example:443', `named.example:${port + 1}`]
    const { ask, send, egress } = await start({ blockedHosts, allow: '127.0.0.1', resolve: resolvesTo('127.0.0.1') })
    for (const authority of ['bad.example:80', 'BAD.example.:8443', 'a.worse.example:443', `127.0.0.1:${port}`])
      expect(await ask(authority)).toContain('The run policy blocks this host')
    expect(egress.hosts().every(({ refusals }) => refusals > 0)).toBe(true)
    for (const authority of [`named.example:${port}`, `a.worse.example:${port}`])
      expect(await send(`GET http://${authority}/ HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
  })
})
