import { freePort } from '#tools/free-port.mjs'
import { makeDataFolder, startProcess, waitUntilHealthy } from './program.ts'
import { type Measurement, median, report, measureMs } from './result.ts'

/**
 * Measures the time from `npm start` until the BFF and the platform answer, with an existing data folder and compiled
 * code. A Node process that only listens runs alternately.
 */
const rounds = 7

const { dataFolder, remove } = await makeDataFolder()
const [ours, bare]: [number[], number[]] = [[], []]
try {
  await startAll()
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await startAll())
    bare.push(await startBare())
  }
} finally {
  await remove()
}
const measurements: Measurement[] = [
  // 1.0 s on a machine where a bare process takes about 0.1 s.
  {
    what: 'start to first 200, warm',
    unit: 'ms',
    ours: median(ours),
    floor: median(bare),
    target: { atMost: 1000, ratio: 10 },
  },
]
report(measurements)

async function startAll() {
  const [port, platformPort] = [await freePort(), await freePort()]
  const environment = { DATA_DIR: dataFolder, PORT: `${port}`, PLATFORM_PORT: `${platformPort}`, ASSAY_DEMO: 'off' }
  return timeStart(['tools/start.mjs'], environment, [port, platformPort])
}

async function startBare() {
  const port = await freePort()
  const listen = `require('node:http').createServer((_, answer) => answer.end('ok')).listen(${port}, '127.0.0.1')`
  return timeStart(['-e', listen], {}, [port])
}

async function timeStart(args: readonly string[], environment: Record<string, string>, ports: readonly number[]) {
  let program: ReturnType<typeof startProcess> | undefined
  const took = await measureMs(async () => {
    program = startProcess(args, environment)
    await Promise.all(ports.map((port) => waitUntilHealthy(`http://127.0.0.1:${port}`, 5)))
  })
  await program?.stop()
  return took
}
