import { runSortFields } from '#contract/run-list.ts'
import { closeIdleDatabases } from '#platform/program/testing/test-database.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { measureMs, percentile, report, rounded } from './result.ts'
import { seedRuns } from './seed-runs.ts'

/**
 * Measures GET /runs with every sort, filters and searches, in an organization with 50,000 runs; RUNS chooses another
 * number. On PGlite, or on the PostgreSQL server of TEST_DATABASE_URL.
 */
const runCount = Number(process.env['RUNS'] ?? 50_000)
const rounds = 40
const target = { atMost: 50 }

const platform = await openTestPlatform()
const { actor } = (await platform.request('GET', '/whoami')).json
const seedMs = await measureMs(() =>
  seedRuns(platform.services.db, { organizationId: platform.organization.id, userId: actor.id }, runCount),
)
await platform.services.db.execute('vacuum analyze')
process.stdout.write(`${runCount} runs inserted in ${rounded(seedMs)} ms\n`)

const queries = {
  'one status': 'status=running',
  'one experiment': 'experiment_id=bench-3',
  'an agent and a model': 'agent=codex&model=small',
  'nothing matches': 'agent=nobody',
  'latest version': 'version_scope=latest',
  ...Object.fromEntries(runSortFields.flatMap((field) => [field, `-${field}`].map((sort) => [sort, `sort=${sort}`]))),
  'of one agent by time': 'agent=codex&sort=-wallSeconds',
  'solved, by cost': 'result=solved&sort=-costUsd',
  'agent exited with an error': 'exit_code=nonzero',
  'search for a variant': 'search=codex~small',
  'search for an error': 'search=out of memory',
  'search that finds nothing': 'search=no such text',
  'search, by time': 'search=memory&sort=-wallSeconds',
}

const engine = process.env['TEST_DATABASE_URL'] ? 'PostgreSQL' : 'PGlite'
const measurements = []
for (const [name, query] of Object.entries(queries)) {
  const times = await timesOf(query)
  process.stdout.write(
    `${name}: p50 ${rounded(percentile(times, 0.5))} ms, p95 ${rounded(percentile(times, 0.95))} ms\n`,
  )
  const what = `GET /runs, ${runCount} runs, ${engine}, p95: ${name}`
  measurements.push({ what, unit: 'ms' as const, ours: percentile(times, 0.95), target })
}
report(measurements)
await platform.close()
await closeIdleDatabases()

/** A different page size in each round, because the platform caches equal requests; half of them are second pages. */
async function timesOf(query: string) {
  const times: number[] = []
  let token = ''
  for (let round = 0; round < rounds; round += 1) {
    const path = `/runs?${query}&limit=${200 - round}&page_token=${round % 2 === 0 ? '' : token}`
    times.push(
      await measureMs(async () => {
        const { status, json } = await platform.request('GET', path)
        if (status !== 200) throw new Error(`GET ${path} returned ${status}`)
        token = json.nextPageToken ?? token
      }),
    )
  }
  return times
}
