import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import type { NetworkPolicy } from '#contract/network-policy.ts'
import { parseEgressExceptions, type ResolveHost } from '#platform/ground/egress/egress-settings.ts'
import { listTraffic } from '#platform/program/testing/list-traffic.ts'
import { openTestRunEngine, submitTestRuns, untilEnded } from '#platform/program/testing/test-run-engine.ts'
import { detectSandbox } from '#platform/engine/sandbox/detect-sandbox.ts'
import { startRunEngine } from './start-run-engine.ts'

const sandbox = await detectSandbox()
const withNetwork = test.skipIf(!sandbox.hasOwnNetwork)

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
const server = createServer((request, response) => response.end(`hello from ${request.url}`))
let origin: { host: string; port: number }
beforeAll(async () => {
  bench = await openTestRunEngine()
  server.listen(0, '127.0.0.2')
  await once(server, 'listening')
  origin = { host: '127.0.0.2', port: (server.address() as AddressInfo).port }
})
afterEach(() => bench.empty())
afterAll(async () => {
  server.close()
  await bench.close()
})

type Options = { allow?: string; chosen?: typeof sandbox; more?: object; resolve?: ResolveHost }

async function run(
  network: NetworkPolicy,
  script: string,
  { allow = '', chosen = sandbox, more = {}, resolve }: Options = {},
) {
  const definition = {
    id: 'e',
    name: 'E',
    agents: [{ id: 'a', command: ['sh', '-c', script], transcript: 'text' }],
    environments: [{ id: 'open', network }],
    ...more,
  }
  const { requestId } = await submitTestRuns(bench.db, { definition })
  const engine = startRunEngine(bench.services, {
    sandbox: chosen,
    workFolder: `${bench.folder}/work`,
    egress: { exceptions: parseEgressExceptions(allow), upstream: null, ...(resolve && { resolve }) },
  })
  const [ended] = await untilEnded(bench.db, requestId)
  await engine.stop()
  if (!ended) throw new Error('The run is gone')
  return { ended, traffic: await listTraffic(bench.db, ended.id) }
}

const fetchWith = (url: string) =>
  `node -e 'fetch("${url}").then(async (answer) => console.log(answer.status, await answer.text()), (error) => console.log(error.cause?.code ?? error.message))'`

withNetwork('setup, agent and tests of a run reach what its environment and the operator allow', async () => {
  const url = `http://${origin.host}:${origin.port}`
  const check = (path: string) => ['sh', '-c', `${fetchWith(`${url}/${path}`)} | grep "200 hello from /${path}"`]
  const { ended, traffic } = await run(true, check('agent').at(-1) ?? '', {
    allow: `${origin.host}:${origin.port}`,
    more: { setup: { commands: [check('setup')] }, tests: [{ name: 'test', command: check('test') }] },
  })
  expect(ended).toMatchObject({ status: 'completed', agentExitCode: 0, testsPassed: 1 })
  expect(traffic).toMatchObject([{ ...origin, attempt: 1, connections: 3, refusals: 0, refusedBecause: null }])
  expect(traffic[0]?.bytesDown).toBeGreaterThan(100)
})

withNetwork(
  'with network: true, a run reaches neither the machine nor its network, whatever way it tries',
  async () => {
    const port = origin.port
    const proxied = [
      '127.0.0.2',
      '[::ffff:127.0.0.2]',
      '2130706434',
      '0x7f.2',
      '0.0.0.0',
      '169.254.169.254',
      '10.255.255.53',
    ]
    const script = [
      ...proxied.map((host) => `curl -s --noproxy "" -o /dev/null -w "%{http_code}\\n" http://${host}:${port}/`),
      // Without the proxy there is only the run's own loopback.
      `curl -s --noproxy "*" http://127.0.0.2:${port}/ && echo reached`,
      `(exec 3<>/dev/tcp/10.255.255.53/53) 2>/dev/null && echo reached`,
      `curl -s --noproxy "" -p -x http://127.0.0.1:8601 http://127.0.0.1:8601/ -o /dev/null && echo reached`,
      'true',
    ].join('\n')
    const more = { agents: [{ id: 'a', command: ['bash', '-c', `exec > said.txt\n${script}`] }] }
    const tests = [
      { name: 'nothing was reached', command: ['sh', '-c', 'test -s said.txt && ! grep reached said.txt'] },
    ]
    const { ended, traffic } = await run(true, '', { more: { ...more, tests } })
    expect(ended).toMatchObject({ status: 'completed', agentExitCode: 0, testsPassed: 1 })
    expect(traffic.every(({ connections, refusals }) => connections === 0 && refusals > 0)).toBe(true)
    expect(Object.fromEntries(traffic.map(({ host, refusedBecause }) => [host, refusedBecause]))).toEqual({
      '127.0.0.2': 'It is a loopback address.',
      '::ffff:7f00:2': 'It is an IPv4 address written as IPv6.',
      '0.0.0.0': 'It is the unspecified address.',
      '169.254.169.254': 'It is the metadata address of a cloud machine.',
      '10.255.255.53': 'It is a private address.',
      '127.0.0.1': 'It is a loopback address.',
    })
  },
)

withNetwork('with a list of hosts, a run reaches these hosts only, and with network: false nothing', async () => {
  const both = [origin.host, '127.0.0.3'].map((host) => fetchWith(`http://${host}:${origin.port}/x`)).join('\n')
  const allow = '127.0.0.0/8'
  const listed = await run({ allow: [`${origin.host}:${origin.port}`] }, both, { allow })
  expect(listed.traffic).toMatchObject([
    { host: '127.0.0.3', connections: 0, refusedBecause: 'The environment does not allow this host and port.' },
    { host: origin.host, connections: 1, refusals: 0 },
  ])
  await bench.empty()
  const none = await run(
    false,
    `env | grep -qi proxy || ${fetchWith(`http://${origin.host}:${origin.port}/`)} | grep ECONN`,
    { allow },
  )
  expect(none).toMatchObject({ ended: { agentExitCode: 0 }, traffic: [] })
})

withNetwork(
  'setup, agent and tests that use no proxy reach the hosts of a list by name, and the run records it',
  async () => {
    const { port } = origin
    const ask = (name: string) =>
      `curl -s --noproxy '*' -m 20 http://${name}:${port}/plain | grep 'hello from /plain' || echo ${name}: $?`
    const { ended, traffic } = await run(
      { allow: [`db.example:${port}`, `inside.example:${port}`] },
      ask('db.example'),
      {
        allow: origin.host,
        resolve: async (host) => (host === 'db.example' ? [origin.host] : ['169.254.169.254']),
        more: {
          setup: { commands: [['sh', '-c', `${ask('inside.example')}; ${ask('other.example')}`]] },
          tests: [{ name: 'test', command: ['sh', '-c', `${ask('db.example')} | grep '^hello'`] }],
        },
      },
    )
    expect(ended).toMatchObject({ status: 'completed', agentExitCode: 0, testsPassed: 1 })
    const records = traffic.map(({ host, connections, refusals, refusedBecause }) => [
      host,
      connections,
      refusals,
      refusedBecause,
    ])
    expect(records.toSorted()).toEqual([
      ['db.example', 2, 0, null],
      ['inside.example', 0, 1, 'The host name resolves to the metadata address of a cloud machine.'],
      ['other.example', 0, 1, 'The environment or the run policy does not allow this host.'],
    ])
  },
)

test('a worker that cannot limit hosts refuses such a run with a sentence, and network: true works without a sandbox', async () => {
  const none = await detectSandbox({ wanted: 'none' })
  const listed = await run({ allow: ['example.com'] }, 'true', { chosen: none })
  expect(listed.ended).toMatchObject({
    status: 'errored',
    statusReason:
      'This worker cannot limit a run to some hosts: network.allow and blocked hosts need bubblewrap on Linux, or SANDBOX=docker',
  })
  await bench.empty()
  const open = await run(true, `${fetchWith(`http://${origin.host}:${origin.port}/x`)} | grep "200 hello"`, {
    chosen: none,
  })
  expect(open).toMatchObject({ ended: { status: 'completed', agentExitCode: 0 }, traffic: [] })
})
