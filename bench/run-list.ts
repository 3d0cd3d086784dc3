import { closeIdleDatabases } from '#platform/program/testing/test-database.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { median, report, rounded, measureMs } from './result.ts'
import { seedRuns } from './seed-runs.ts'

/**
 * Measures GET /runs in an organization with few runs and in one with many. The last column is the ratio: a list that
 * scales grows far less than its number of runs.
 */
const sizes = [1000, 50_000] as const
const rounds = 15

const queries = {
  'first page': 'limit=200',
  'first page of the API': 'limit=100',
  'one status': 'status=running&limit=200',
  'errored only': 'status=errored&limit=200',
  'one experiment': 'experiment_id=bench-3&limit=200',
  'an agent and a model': 'agent=codex&model=small&limit=200',
  'a variant that is rare': 'variant=codex~small~bare&limit=200',
  'nothing matches': 'agent=nobody&limit=200',
  'test-aware': 'test_aware=true&limit=200',
  'timed out': 'timed_out=true&limit=200',
  'latest version': 'version_scope=latest&limit=200',
  'cost history': 'experiment_id=bench-3&status=completed&limit=1000',
}

const medians = []
for (const size of sizes) medians.push(await measure(size))
const [few, many] = medians

process.stdout.write(`Median of ${rounds}; ${sizes[1] / sizes[0]} times the runs\n`)
report(
  Object.keys(queries).map((name) => {
    const what = `GET /runs, ${sizes[1]} beside ${sizes[0]}: ${name}`
    return { what, unit: 'ms', ours: many?.[name] ?? Number.NaN, floor: few?.[name] }
  }),
)

async function measure(size: number): Promise<Record<string, number>> {
  const platform = await openTestPlatform()
  const { actor } = (await platform.request('GET', '/whoami')).json
  await seedRuns(platform.services.db, { organizationId: platform.organization.id, userId: actor.id }, size)
  // A running platform does this every ten minutes, and PostgreSQL does it by itself.
  const startedAt = performance.now()
  await platform.services.db.execute('vacuum analyze')
  process.stdout.write(`${size} runs tidied in ${rounded(performance.now() - startedAt)} ms\n`)
  const times: Record<string, number> = {}
  for (const [name, query] of Object.entries(queries))
    times[name] = await medianOf(() => platform.request('GET', `/runs?${query}`))
  await platform.close()
  await closeIdleDatabases()
  return times
}

async function medianOf(ask: () => Promise<{ status: number }>) {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await measureMs(() => succeed(ask)))
  return median(times)
}

async function succeed(ask: () => Promise<{ status: number }>) {
  const { status } = await ask()
  if (status !== 200) throw new Error(`GET /runs answered ${status}`)
}
