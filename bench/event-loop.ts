import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { eventLoopWork, seededRuns } from './event-loop-work.ts'
import { startProgram } from './program.ts'
import { percentile, report, rounded } from './result.ts'
import { seedRuns } from './seed-runs.ts'

/**
 * Measures how long what runs, members and strangers send holds up everybody else: the longest block of the platform's
 * event loop, and the 99th percentile of what ten people wait for, beside that of the same people just before. Names on
 * the command line choose the work; SEEDED_RUNS how many runs there are.
 */
const viewers = 10
const everyMs = 200
const idleSeconds = 8
const oldRuns = 10_000
process.env['RUN_DISK_MB'] ??= '20480'

const probe = new URL('../tools/loop-probe.mjs', import.meta.url).href
const program = await startProgram(
  async (services, organizationId) => {
    const { rows } = (await services.db.execute('select id from users limit 1')) as unknown as {
      rows: { id: string }[]
    }
    const owner = { organizationId, userId: rows[0]?.id ?? '' }
    await seedRuns(services.db, owner, seededRuns, seededRuns - oldRuns)
    await services.db.execute('analyze')
    await projectRuns(services, organizationId)
  },
  ['--import', probe],
)

type Block = { ms: number; processorMs: number }

/** The longest block since the last call. */
async function longestBlock(): Promise<Block> {
  program.platform.send('longest block')
  const [block] = (await once(program.platform, 'message')) as [Block]
  return block
}

/** Ten people look at the newest runs and at a run with its transcript in turn, until `work` has ended. */
async function watchDuring(watchedRun: string, work: () => Promise<unknown>) {
  const listMs: number[] = []
  const runMs: number[] = []
  let failed = 0
  const over = new AbortController()
  const look = async (path: string) => {
    const startedAt = performance.now()
    const headers = { authorization: `Bearer ${program.key}` }
    const response = await fetch(`${program.platformUrl}/api/v1${path}`, { headers })
    await response.arrayBuffer()
    if (!response.ok) failed += 1
    return performance.now() - startedAt
  }
  await longestBlock()
  const watching = Array.from({ length: viewers }, async (_, index) => {
    await delay((index * everyMs) / viewers)
    while (!over.signal.aborted) {
      listMs.push(await look('/runs?limit=100'))
      await delay(everyMs)
      runMs.push(await look(`/runs/${encodeURIComponent(watchedRun)}?transcript=true`))
      await delay(everyMs)
    }
  })
  try {
    await work()
  } finally {
    over.abort()
    await Promise.all(watching)
  }
  return { list: percentile(listMs, 0.99), run: percentile(runMs, 0.99), failed, block: await longestBlock() }
}

type Seen = Awaited<ReturnType<typeof watchDuring>>

/** On a busy machine a thread waits for a processor too, so the time that it used is what counts. */
const inWords = ({ list, run, block }: Seen) =>
  `p99 ${rounded(list)} ms of the list and ${rounded(run)} ms of a run, longest block ${rounded(block.processorMs)} ms on the processor (${rounded(block.ms)} ms with waits)`

try {
  const { work, watchedRun } = await eventLoopWork(program)
  const watchIdle = (seconds: number) => watchDuring(watchedRun, () => delay(seconds * 1000))
  // The first requests compile what the later ones use.
  await watchIdle(3)
  const named = process.argv.slice(2)
  for (const [name, perform] of Object.entries(work)) {
    if (named.length > 0 && !named.some((part) => name.includes(part))) continue
    const idle = await watchIdle(idleSeconds)
    process.stdout.write(`idle: ${inWords(idle)}\n`)
    const startedAt = performance.now()
    const seen = await watchDuring(watchedRun, perform)
    const { list, run, failed, block } = seen
    process.stdout.write(`${name}: ${rounded((performance.now() - startedAt) / 1000)} s, ${inWords(seen)}\n`)
    if (failed > 0) process.stdout.write(`${name}: ${failed} requests failed\n`)
    const ratio = { ratio: 3 }
    report([
      { what: `${name}: longest block on the processor`, unit: 'ms', ours: block.processorMs, target: { atMost: 100 } },
      { what: `${name}: p99 of GET /runs, beside idle`, unit: 'ms', ours: list, floor: idle.list, target: ratio },
      { what: `${name}: p99 of GET /runs/ID, beside idle`, unit: 'ms', ours: run, floor: idle.run, target: ratio },
      { what: `${name}: failed answers`, unit: 'requests', ours: failed, target: { atMost: 0 } },
    ])
  }
} finally {
  await program.stop()
}
