import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { parseEgressExceptions, type ResolveHost } from '#platform/ground/egress/egress-settings.ts'
import { spawnInBubblewrap } from '#platform/engine/sandbox/bubblewrap.ts'
import { detectSandbox } from '#platform/engine/sandbox/detect-sandbox.ts'
import type { RunFolders, SandboxCommand } from '#platform/engine/sandbox/sandbox.ts'
import { makeRunFolders } from '#platform/engine/workspace/materialize.ts'
import { runShell } from '#platform/program/testing/run-shell.ts'
import { openRunNetwork } from './run-network.ts'

const sandbox = await detectSandbox()

let folder: string
let folders: RunFolders
const closing: (() => void)[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-named-hosts-'))
  folders = await makeRunFolders(join(folder, '1'))
})
afterEach(async () => {
  for (const close of closing.splice(0)) close()
  await rm(folder, { recursive: true, force: true })
})

/** A server of another machine, as far as a run can tell. */
async function serve(onConnection: (connection: Socket) => void) {
  const server = createServer({ allowHalfOpen: true }, (connection) => onConnection(connection.on('error', () => {})))
  server.listen(0, '127.0.0.2')
  await once(server, 'listening')
  closing.push(() => server.close())
  return (server.address() as AddressInfo).port
}

const says = (word: string) => (connection: Socket) => void connection.end(`${word}\n`)

type Setup = { allow: string[]; blockedHosts?: string[]; addresses?: string[]; resolve?: ResolveHost }

/** The network of a run in which every name has these addresses. */
function open({ allow, blockedHosts = [], addresses = ['127.0.0.2'], resolve }: Setup, chosen = sandbox) {
  const asked: string[] = []
  const usual: ResolveHost = async (host) => {
    asked.push(host)
    return addresses
  }
  const settings = { exceptions: parseEgressExceptions('127.0.0.2'), upstream: null, resolve: resolve ?? usual }
  const network = openRunNetwork({ network: { allow }, blockedHosts }, chosen, settings)
  closing.push(network.close)
  const shell = (script: string, options: Partial<SandboxCommand> = {}) =>
    runShell(network.sandbox, folders, script, options)
  const node = (source: string) => shell('', { argv: ['node', '-e', source] })
  return { asked, shell, node, traffic: network.traffic }
}

const lookUp = (...names: string[]) =>
  `for name in ${names.join(' ')}; do getent hosts $name | head -n 1 | cut -d' ' -f1 | grep . || echo $name: none; done`

describe.skipIf(!sandbox.hasOwnNetwork)(`in the sandbox (${sandbox.status.reason ?? sandbox.status.kind})`, () => {
  test('programs that use no proxy reach an allowed host, and the connections are recorded', async () => {
    const port = await serve(says('HTTP/1.0 200 OK\r\n\r\nhello'))
    const { shell, traffic } = open({ allow: [`db.example:${port}`] })
    const client = `require('node:net').connect(${port}, 'db.example').pipe(process.stdout)`
    const end = await shell(
      [
        `cat < /dev/tcp/db.example/${port} | tail -n 1`,
        `node -e "${client}" | tail -n 1`,
        `curl -s --noproxy '*' http://db.example:${port}/`,
      ].join('\n'),
    )
    expect(end.stdout).toBe('hello\nhello\nhello\n')
    expect(traffic()).toMatchObject([{ host: 'db.example', port, connections: 3, refusals: 0 }])
    expect(traffic()[0]?.bytesDown).toBe(75)
  })

  test('names that are not allowed are unknown inside, and recorded', async () => {
    const { shell, traffic, asked } = open({
      allow: ['db.example:5432', '*.example.org:443', '192.0.2.7:80', 'blocked.example:80'],
      blockedHosts: ['blocked.example'],
    })
    const refused = ['other.example', 'x.db.example', 'example.org', 'notexample.org', 'blocked.example']
    const end = await shell(lookUp(...refused, 'db.example', 'DB.example.', 'a.b.example.org', 'assay'))
    expect(end.stdout).toBe(
      `${refused.map((name) => `${name}: none\n`).join('')}127.64.0.2\n127.64.0.2\n127.64.0.3\n127.0.0.1\n`,
    )
    const reason = 'The environment or the run policy does not allow this host.'
    expect(traffic().map(({ host, port, refusedBecause }) => [host, port, refusedBecause])).toEqual(
      refused.map((host) => [host, 0, reason]),
    )
    expect(asked).toEqual([])
  })

  test('no query leaves the machine, and other questions have no answer', async () => {
    const { node, asked, traffic } = open({ allow: ['*.example.org:443'] })
    const { stdout } = await node(`
      const { Resolver } = require('node:dns').promises
      const resolver = new Resolver({ timeout: 2000, tries: 1 })
      const kinds = ['resolve4', 'resolve6', 'resolveTxt', 'resolveMx', 'resolveSrv', 'resolveAny', 'resolveCname']
      Promise.all(kinds.map((kind) => resolver[kind]('c2VjcmV0.example.org').catch(({ code }) => code))).then((all) => console.log(all.join(' ')))`)
    expect(stdout).toBe('127.64.0.2 ENODATA ENODATA ENODATA ENODATA ENODATA ENODATA\n')
    expect(asked).toEqual([])
    expect(traffic()).toEqual([])
  })

  test.each([
    ['10.0.0.1', 'a private address'],
    ['127.0.0.1', 'a loopback address'],
    ['169.254.169.254', 'the metadata address of a cloud machine'],
    ['::ffff:127.0.0.1', 'an IPv4 address written as IPv6'],
  ])('a name that resolves to %s is refused at any port, with a reset', async (address, fault) => {
    const { node, traffic } = open({ allow: ['inside.example:22'], addresses: [address] })
    const { stdout } = await node(
      `require('node:net').connect(22, 'inside.example').on('error', ({ code }) => console.log(code)).on('end', () => console.log('end'))`,
    )
    expect(stdout).toBe('ECONNRESET\n')
    expect(traffic()).toMatchObject([
      { host: 'inside.example', port: 22, connections: 0, refusedBecause: `The host name resolves to ${fault}.` },
    ])
  })

  test.skipIf(process.getuid?.() !== 0)(
    'a service that cannot become another user can open low ports too',
    async () => {
      const spawn = spawnInBubblewrap({ isUnprivileged: false })
      const { shell, traffic } = open({ allow: ['inside.example:22'], addresses: ['10.0.0.1'] }, { ...sandbox, spawn })
      const end = await shell(`cat < /dev/tcp/inside.example/22 || echo reset; id -un; grep CapEff /proc/self/status`)
      expect(end.stdout).toBe('reset\nagent\nCapEff:\t0000000000000000\n')
      expect(traffic()).toMatchObject([{ host: 'inside.example', port: 22, refusals: 1 }])
    },
  )

  test('a name is resolved once for each connection, so a later answer is checked again', async () => {
    const port = await serve(says('hello'))
    const answers = [['127.0.0.2'], ['127.0.0.1']]
    const { shell, traffic } = open({ allow: [`moves.example:${port}`], resolve: async () => answers.shift() ?? [] })
    const read = `cat < /dev/tcp/moves.example/${port}`
    expect((await shell(`${read}; ${read} || echo reset`)).stdout).toBe('hello\nreset\n')
    expect(traffic()).toMatchObject([{ connections: 1, refusals: 1 }])
  })

  test('an address has the ports of its own name only, and other addresses have none', async () => {
    const [first, second] = [await serve(says('first')), await serve(says('second'))]
    const { shell } = open({ allow: [`one.example:${first}`, `two.example:${second}`] })
    const read = (address: string, port: number) => `cat < /dev/tcp/${address}/${port} || echo refused`
    const script = [
      read('127.64.0.2', first),
      lookUp('one.example', 'two.example'),
      read('127.64.0.2', first),
      read('127.64.0.2', second),
      read('127.64.0.3', second),
      read('127.64.0.4', first),
    ]
    expect((await shell(script.join('\n'))).stdout).toBe(
      'refused\n127.64.0.2\n127.64.0.3\nfirst\nrefused\nsecond\nrefused\n',
    )
  })

  test('a server of the run takes any port, unless the run looked up a host with this port before', async () => {
    const { node, traffic } = open({ allow: ['db.example:15432', 'web.example:18080'] })
    const { stdout } = await node(`
      const listen = (port) => new Promise((done) => {
        const server = require('node:net').createServer().on('error', ({ code }) => done(code))
        server.listen(port, '0.0.0.0', () => done('listens'))
      })
      const find = (name) => require('node:dns').promises.lookup(name).then(({ address }) => address, ({ code }) => code)
      ;(async () => {
        console.log(await listen(18080), await find('web.example'), await find('db.example'), await listen(15432))
        process.exit()
      })()`)
    expect(stdout).toBe('listens ENOTFOUND 127.64.0.3 EADDRINUSE\n')
    expect(traffic()).toMatchObject([
      {
        host: 'web.example',
        port: 18_080,
        refusedBecause: 'A server of the run already listens on port 18080 of all its addresses.',
      },
    ])
  })

  test('both directions work after one has ended, and a slow reader loses nothing', async () => {
    const bytes = 4_000_000
    const port = await serve((connection) => {
      let received = 0
      connection.on('data', (chunk) => (received += chunk.length))
      connection.on('end', () => connection.end(`${received} ${'x'.repeat(bytes)}`))
    })
    const { node, traffic } = open({ allow: [`db.example:${port}`] })
    const { stdout } = await node(`
      const socket = require('node:net').connect({ port: ${port}, host: 'db.example', allowHalfOpen: true })
      socket.end('y'.repeat(${bytes}))
      let text = 0
      ;(async () => {
        for await (const chunk of socket) {
          text += chunk.length
          await new Promise((done) => setImmediate(done))
        }
        console.log(text)
      })()`)
    expect(stdout).toBe(`${bytes + String(bytes).length + 1}\n`)
    expect(traffic()).toMatchObject([{ bytesUp: bytes, bytesDown: bytes + String(bytes).length + 1 }])
  })

  test('connections above 128 at the same time are reset, and the run continues', async () => {
    let [now, most] = [0, 0]
    const port = await serve((connection) => {
      now += 1
      most = Math.max(most, now)
      connection.resume().once('close', () => (now -= 1))
    })
    const { node, traffic } = open({ allow: [`db.example:${port}`] })
    const { stdout } = await node(`
      const { connect } = require('node:net')
      require('node:dns').lookup('db.example', (_, address) => {
        let reset = 0
        for (let index = 0; index < 400; index += 1)
          connect(${port}, address).on('error', () => {}).once('close', () => (reset += 1) === 272 && (console.log('done'), process.exit()))
      })`)
    expect(stdout).toBe('done\n')
    expect(most).toBeLessThanOrEqual(128)
    expect(traffic()[0]?.refusals).toBeGreaterThan(0)
  })

  test('thousands of names get 128 addresses, and broken packets end nothing', async () => {
    const { node, traffic, asked } = open({ allow: ['*.example.org:443'] })
    const { stdout } = await node(`
      const { Resolver } = require('node:dns').promises
      const socket = require('node:dgram').createSocket('udp4')
      const send = (packet) => new Promise((done) => socket.send(packet, 53, '127.64.0.1', done))
      ;(async () => {
        for (let index = 0; index < 100; index += 1) await send(require('node:crypto').randomBytes(index * 10))
        const resolver = new Resolver({ timeout: 3000, tries: 4 })
        const found = new Set()
        for (let index = 0; index < 400; index += 50)
          for (const answer of await Promise.allSettled(Array.from({ length: 50 }, (_, at) => resolver.resolve4('n' + (index + at) + '.example.org'))))
            if (answer.status === 'fulfilled') found.add(answer.value[0])
        console.log(found.size)
        process.exit()
      })()`)
    expect(stdout).toBe('128\n')
    expect(traffic().every(({ refusedBecause }) => refusedBecause === 'The run looked up more than 128 names.')).toBe(
      true,
    )
    expect(asked).toEqual([])
  })

  test('commands of one run find a host at the same address, and another run finds its own', async () => {
    const port = await serve(says('hello'))
    const first = open({ allow: ['a.example:443', `db.example:${port}`] })
    const script = `${lookUp('db.example')}; cat < /dev/tcp/db.example/${port}`
    await first.shell(lookUp('a.example'))
    const ends = await Promise.all([first.shell(script), first.shell(script)])
    expect(ends.map(({ stdout }) => stdout)).toEqual(['127.64.0.3\nhello\n', '127.64.0.3\nhello\n'])
    const other = open({ allow: [`db.example:${port}`] })
    expect((await other.shell(script)).stdout).toBe('127.64.0.2\nhello\n')
    expect(first.traffic()).toMatchObject([{ connections: 2 }])
    expect(other.traffic()).toMatchObject([{ connections: 1 }])
  })

  test('when the service is killed while it opens ports, no process stays in the network', async () => {
    const port = 20_000 + (process.pid % 10_000)
    const script = `
      import { openRunNetwork } from '${import.meta.dirname}/run-network.ts'
      import { noEgressSettings } from '${import.meta.dirname}/../../ground/egress/egress-settings.ts'
      import { detectSandbox } from '${import.meta.dirname}/../sandbox/detect-sandbox.ts'
      const policy = { network: { allow: ['*.example.org:${port}'] }, blockedHosts: [] }
      const { sandbox } = openRunNetwork(policy, await detectSandbox(), noEgressSettings)
      const lookUps = 'for i in $(seq 1 120); do getent hosts n$i.example.org; done; sleep 300'
      const onStdout = (chunk) => console.log(String(chunk))
      await sandbox.spawn({ argv: ['bash', '-c', lookUps], folders: ${JSON.stringify(folders)}, env: {}, forwards: [], onStdout })`
    const service = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: import.meta.dirname })
    await new Promise((found) => service.stdout.once('data', found))
    const listening = async () => {
      const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
      const lines = await Promise.all(names.map((name) => readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')))
      return lines.filter((line) => line.includes('tcp 127.64.') && line.includes(` ${port}\0`))
    }
    await expect.poll(listening, { interval: 5 }).not.toEqual([])
    service.kill('SIGKILL')
    await expect.poll(listening, { timeout: 20_000 }).toEqual([])
  })
})
