import { randomUUID } from 'node:crypto'

import { projectRuns } from '#platform/analytics/project-runs.ts'
import { addFinishedRun, addVersion } from '#platform/testing/finished-runs.ts'
import { openTestPlatform } from '#platform/testing/test-platform.ts'
import { median, report, timeOf } from './result.ts'

/**
 * How long routes take while twenty users send queries that never end, and send the next as
 * soon as one is refused or stopped; side by side with a quiet platform, which still answers a query when it is over.
 */
const users = 20
const rounds = 60
const runaway = 'SELECT sum(sipHash64(a.number, b.number)) FROM numbers(1000000) a CROSS JOIN numbers(1000000) b'

const platform = await openTestPlatform()
const { services, organization } = platform
const key = { organizationId: organization.id, experimentId: 'e' }
const fingerprint = await addVersion(services.db, { ...key, ordinal: 1 })
for (let index = 0; index < 200; index += 1)
  await addFinishedRun(services.db, {
    ...key,
    fingerprint,
    variantId: `v${index % 8}`,
    outcomes: { [randomUUID()]: 'passed', one: 'failed' },
  })
await projectRuns(services, organization.id)

const routes = {
  'GET /experiments': () => platform.request('GET', '/experiments'),
  'GET /runs': () => platform.request('GET', '/runs?experiment_id=e&limit=200'),
  'GET /whoami': () => platform.request('GET', '/whoami'),
  'the heatmap': () => platform.request('POST', '/insights/chart%3Ae%3Atests/execute', { body: {} }),
}

const quiet = await measureAll()
const storm = new AbortController()
const statuses = new Map<number, number>()
const raging = Promise.all(Array.from({ length: users }, rage))
await pause(1000)
const stormy = await measureAll()
storm.abort()

await raging
process.stdout.write(`answers to the storm by status: ${JSON.stringify(Object.fromEntries(statuses))}\n`)
const { status } = await platform.request('POST', '/experiments/e/query', { body: { sql: 'SELECT count() FROM runs' } })
process.stdout.write(`a query after the storm: ${status}\n`)
await platform.close()
if (status !== 200) throw new Error('The platform does not answer queries any more')
report(
  Object.keys(routes).map((route) => {
    const [ours = Number.NaN, floor] = [stormy[route], quiet[route]]
    return { what: `storm of ${users}: ${route}`, unit: 'ms', ours, floor, target: { ratio: 2 } }
  }),
)

async function rage() {
  while (!storm.signal.aborted) {
    const { status } = await platform.request('POST', '/experiments/e/query', { body: { sql: runaway } })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    await pause(500)
  }
}

async function measureAll() {
  const medians: Record<string, number> = {}
  for (const [route, ask] of Object.entries(routes)) medians[route] = await medianOf(ask)
  return medians
}

async function medianOf(ask: () => Promise<{ status: number }>) {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await timeOf(() => succeed(ask)))
  return median(times)
}

async function succeed(ask: () => Promise<{ status: number }>) {
  const { status } = await ask()
  if (status !== 200) throw new Error(`a route answered ${status}`)
}

function pause(milliseconds: number) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
