import { startProgram } from './program.ts'
import { type Measurement, measureMs, median, report } from './result.ts'
import { seedRuns } from './seed-runs.ts'

/**
 * Measures what people wait for in an installation with a year of work, beside one with a hundredth of it. Before each
 * request something changed, so that no earlier answer can be sent again. RUNS chooses how much a year is.
 */
const yearOfRuns = Number(process.env['RUNS'] ?? 200_000)
const rounds = 15

const reads = {
  'GET /experiments after a change': '/api/v1/experiments',
  'GET /experiments by solved runs': '/api/v1/experiments?sort=-solved',
  'GET /runs after a change': '/api/v1/runs?limit=50',
  'GET /runs of an experiment after a change': '/api/v1/runs?experiment_id=bench-3&limit=50',
  'GET /runs of a model after a change': '/api/v1/runs?model=large&limit=50',
  'GET /versions of an experiment': '/api/v1/experiments/bench-3/versions',
}

async function measure(runCount: number) {
  const program = await startProgram(async ({ db }, organizationId) => {
    const { rows } = (await db.execute('select id from users')) as unknown as { rows: { id: string }[] }
    await seedRuns(db, { organizationId, userId: rows[0]?.id ?? '' }, runCount)
  })
  const headers = { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' }
  let changes = 0
  const change = () => {
    const body = JSON.stringify({ name: `Ada ${(changes += 1)}` })
    return fetch(`${program.platformUrl}/admin/v1/me`, { method: 'PATCH', headers, body })
  }
  const times: Record<string, number> = {}
  for (const [what, path] of Object.entries(reads)) {
    const taken: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      await change()
      const took = await measureMs(async () => {
        const response = await fetch(program.platformUrl + path, { headers })
        if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
        await response.arrayBuffer()
      })
      // The first one reads files that nobody has read since the start.
      if (round > 0) taken.push(took)
    }
    times[what] = median(taken)
  }
  await program.stop()
  return times
}

const small = await measure(yearOfRuns / 100)
const year = await measure(yearOfRuns)
const measurements: Measurement[] = Object.entries(year).map(([what, ours]) => ({
  what: `${what}, ${yearOfRuns.toLocaleString('en')} runs beside a hundredth`,
  unit: 'ms',
  ours,
  floor: small[what],
  target: { atMost: 50, ratio: 3 },
}))
report(measurements)
