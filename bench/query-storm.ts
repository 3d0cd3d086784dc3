import { randomUUID } from 'node:crypto'

import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { hostileStatements } from './hostile-statements.ts'
import { type Seed, startProgram } from './program.ts'
import { percentile, report, measureMs } from './result.ts'

/**
 * Measures routes while ten members send hostile statements in a loop and read every answer, compared with the same
 * platform before. A query must still work when the storm is over.
 */
const seconds = 20
const at = 0.99

const seed: Seed = async (services, organizationId) => {
  const key = { organizationId, experimentId: 'e' }
  const fingerprint = await addVersion(services.db, { ...key, ordinal: 1 })
  for (let index = 0; index < 200; index += 1) {
    const outcomes = { [randomUUID()]: 'passed', one: 'failed' } as const
    await addFinishedRun(services.db, { ...key, fingerprint, variantId: `v${index % 8}`, outcomes })
  }
  await projectRuns(services, organizationId)
}

const program = await startProgram(seed)

const ask = async (path: string, body?: object) => {
  const response = await fetch(`${program.platformUrl}/api/v1${path}`, {
    headers: { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  let bytes = 0
  for await (const chunk of response.body ?? []) bytes += chunk.length
  return { status: response.status, bytes }
}

const routes = {
  'GET /runs': () => ask('/runs?experiment_id=e&limit=200'),
  'GET /experiments': () => ask('/experiments'),
  'GET /whoami': () => ask('/whoami'),
  // Another search each time: an answer in memory would not ask the engine.
  'the heatmap': () =>
    ask('/insights/chart%3Ae%3Atests/execute', { parameters: { test_search: randomUUID().slice(0, 3) } }),
}

const responses = new Map<string, number>()
let largest = 0

try {
  await measureAll()
  const quiet = await measureAll()
  const storm = new AbortController()
  const raging = Promise.all(hostileStatements.map((sql) => rage(sql, storm.signal)))
  const stormy = await measureAll()
  storm.abort()
  await raging
  const { status } = await ask('/experiments/e/query', { sql: 'SELECT count() FROM runs' })
  const counts = JSON.stringify(Object.fromEntries(responses))
  process.stdout.write(`Answers to the storm by status: ${counts}; the largest: ${(largest / 1e6).toFixed(1)} MB\n`)
  process.stdout.write(`A query after the storm: ${status}\n`)
  if (status !== 200) throw new Error('The platform no longer answers queries')
  report(
    Object.keys(routes).map((route) => {
      const [ours = Number.NaN, floor] = [stormy[route], quiet[route]]
      return { what: `p99 in a storm: ${route}`, unit: 'ms', ours, floor, target: { ratio: 2 } }
    }),
  )
} finally {
  await program.stop()
}

async function rage(sql: string, signal: AbortSignal) {
  while (!signal.aborted) {
    const { status, bytes } = await ask('/experiments/e/query', { sql, limit: 10_000 })
    responses.set(`${status}`, (responses.get(`${status}`) ?? 0) + 1)
    largest = Math.max(largest, bytes)
    await pause(200)
  }
}

/** Calls the routes alternately, so that a stall at any moment shows in one of their times. */
async function measureAll() {
  const times = new Map<string, number[]>(Object.keys(routes).map((route) => [route, []]))
  for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
    for (const [route, request] of Object.entries(routes))
      times.get(route)?.push(await measureMs(() => succeed(request)))
  }
  return Object.fromEntries([...times].map(([route, millis]) => [route, percentile(millis, at)]))
}

async function succeed(request: () => Promise<{ status: number }>) {
  const { status } = await request()
  if (status !== 200) throw new Error(`A route answered ${status}`)
}

function pause(milliseconds: number) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
