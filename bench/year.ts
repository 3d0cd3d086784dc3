import { closeIdleDatabases } from '#platform/program/testing/test-database.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { type Measurement, measureMs, median, report } from './result.ts'
import { seedRuns } from './seed-runs.ts'

/**
 * Measures what people wait for in an installation with a year of work, beside one with a hundredth of it. Before each
 * request something changed, so that no earlier answer can be sent again. RUNS chooses how much a year is.
 */
const yearOfRuns = Number(process.env['RUNS'] ?? 200_000)
const rounds = 15

const reads = {
  'GET /experiments after a change': '/experiments',
  'GET /experiments by solved runs': '/experiments?sort=-solved',
  'GET /runs after a change': '/runs?limit=50',
  'GET /runs of an experiment after a change': '/runs?experiment_id=bench-3&limit=50',
  'GET /runs of a model after a change': '/runs?model=large&limit=50',
  'GET /runs of an agent after a change': '/runs?agent=codex&limit=50',
  'GET /versions of an experiment': '/experiments/bench-3/versions',
}

async function measure(runCount: number) {
  const platform = await openTestPlatform()
  const { actor } = (await platform.request('GET', '/whoami')).json
  const owner = { organizationId: platform.organization.id, userId: actor.id }
  await seedRuns(platform.services.db, owner, runCount)
  // As the platform does by itself after many changes.
  await platform.services.db.execute('vacuum analyze')
  let changes = 0
  const change = () => platform.request('PATCH', '/admin/v1/me', { body: { name: `Ada ${(changes += 1)}` } })
  const times: Record<string, number> = {}
  for (const [what, path] of Object.entries(reads)) {
    const taken: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      await change()
      const took = await measureMs(async () => {
        const { status, text } = await platform.request('GET', path)
        if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
      })
      // The first one reads pages that nobody has read yet.
      if (round > 0) taken.push(took)
    }
    times[what] = median(taken)
  }
  await platform.close()
  return times
}

const small = await measure(yearOfRuns / 100)
const year = await measure(yearOfRuns)
await closeIdleDatabases()
const measurements: Measurement[] = Object.entries(year).map(([what, ours]) => ({
  what: `${what}, ${yearOfRuns.toLocaleString('en')} runs beside a hundredth`,
  unit: 'ms',
  ours,
  floor: small[what],
  target: { atMost: 50, ratio: 3 },
}))
report(measurements)
