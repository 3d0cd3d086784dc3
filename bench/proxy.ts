import { Client } from 'undici'

import { freePort } from '#tools/free-port.mjs'
import { signIn, startProcess, waitUntilHealthy } from './program.ts'
import { type Measurement, median, report, measureMs } from './result.ts'

/**
 * Measures the time that the BFF adds to an answer of 1 kB: the median of many sequential requests on one connection,
 * through the BFF, through a proxy that only forwards with undici, and without a proxy, alternately.
 */
const rounds = 20
const perRound = 200
const path = '/api/v1/whoami'
/** 0.25 ms on a machine where undici alone added 0.13 ms. */
const target = { atMost: 0.25, ratio: 1.9 }

const ports = { upstream: await freePort(), bare: await freePort(), bff: await freePort() }
const at = (name: keyof typeof ports) => `http://127.0.0.1:${ports[name]}`
const peers = 'bench/proxy-peers.ts'
const processes = [
  startProcess([peers, 'upstream', `${ports.upstream}`], {}),
  startProcess([peers, 'bare', `${ports.bare}`, at('upstream')], {}),
  startProcess(['BFF/main.ts'], { PORT: `${ports.bff}`, PLATFORM_URL: at('upstream'), LOG_LEVEL: 'error' }),
]
try {
  for (const name of ['upstream', 'bare', 'bff'] as const) await waitUntilHealthy(at(name))
  report(await measure())
} finally {
  await Promise.all(processes.map((each) => each.stop()))
}

async function measure(): Promise<Measurement[]> {
  const cookie = await signIn(at('bff'), 'bench')
  const ways = (['upstream', 'bare', 'bff'] as const).map((name) => ({
    client: new Client(at(name)),
    headers: (name === 'bff' ? { cookie } : { authorization: 'Bearer bench' }) as Record<string, string>,
    times: [] as number[],
  }))
  for (let round = 0; round < rounds; round += 1) {
    for (const { client, headers, times } of ways) {
      const took = []
      for (let index = 0; index < perRound; index += 1) took.push(await measureMs(() => ask(client, headers)))
      // The code is compiled in the first rounds.
      if (round >= 3) times.push(...took)
    }
  }
  await Promise.all(ways.map(({ client }) => client.close()))
  const [direct = Number.NaN, bare = Number.NaN, bff = Number.NaN] = ways.map(({ times }) => median(times))
  return [{ what: 'BFF: added to 1 kB, p50', unit: 'ms', ours: bff - direct, floor: bare - direct, target }]
}

async function ask(client: Client, headers: Record<string, string>) {
  const { statusCode, body } = await client.request({ method: 'GET', path, headers })
  await body.arrayBuffer()
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`)
}
