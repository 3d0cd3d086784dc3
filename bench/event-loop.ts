import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

import { eventLoopWork } from './event-loop-work.ts'
import { startProgram } from './program.ts'
import { percentile, report, rounded } from './result.ts'
import { seedRuns } from './seed-runs.ts'

/**
 * Measures how long what runs, members and strangers send holds up everybody else: the longest block of the platform's
 * event loop, and the 99th percentile of `GET /runs` for ten people beside that of an idle platform. Names on the
 * command line choose the work.
 */
const watchers = 10
const everyMs = 200
const idleSeconds = 15
const seededRuns = Number(process.env['SEEDED_RUNS'] ?? 20_000)
process.env['RUN_DISK_MB'] ??= '20480'

const probe = new URL('./loop-probe.mjs', import.meta.url).href
const program = await startProgram(
  async (services, organizationId) => {
    const { rows } = (await services.db.execute('select id from users limit 1')) as unknown as {
      rows: { id: string }[]
    }
    await seedRuns(services.db, { organizationId, userId: rows[0]?.id ?? '' }, seededRuns)
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

/** Ten people look at the newest runs until `work` has ended. */
async function watchDuring(work: () => Promise<unknown>) {
  const millis: number[] = []
  let failed = 0
  const over = new AbortController()
  await longestBlock()
  const watching = Array.from({ length: watchers }, async (_, index) => {
    await delay((index * everyMs) / watchers)
    while (!over.signal.aborted) {
      const startedAt = performance.now()
      const response = await fetch(`${program.platformUrl}/api/v1/runs?limit=100`, {
        headers: { authorization: `Bearer ${program.key}` },
      })
      await response.arrayBuffer()
      millis.push(performance.now() - startedAt)
      if (!response.ok) failed += 1
      await delay(everyMs)
    }
  })
  try {
    await work()
  } finally {
    over.abort()
    await Promise.all(watching)
  }
  return { p99: percentile(millis, 0.99), failed, block: await longestBlock() }
}

/** On a busy machine a thread waits for a processor too, so the time that it used is what counts. */
const inWords = ({ p99, block }: { p99: number; block: Block }) =>
  `p99 ${rounded(p99)} ms, longest block ${rounded(block.processorMs)} ms on the processor (${rounded(block.ms)} ms with waits)`

try {
  const work = await eventLoopWork(program)
  // The first requests compile what the later ones use.
  await watchDuring(() => delay(3000))
  const idle = await watchDuring(() => delay(idleSeconds * 1000))
  process.stdout.write(`idle: ${inWords(idle)}\n`)
  const named = process.argv.slice(2)
  for (const [name, perform] of Object.entries(work)) {
    if (named.length > 0 && !named.some((part) => name.includes(part))) continue
    const startedAt = performance.now()
    const seen = await watchDuring(perform)
    const { p99, failed, block } = seen
    process.stdout.write(`${name}: ${rounded((performance.now() - startedAt) / 1000)} s, ${inWords(seen)}\n`)
    if (failed > 0) process.stdout.write(`${name}: ${failed} requests failed\n`)
    report([
      { what: `${name}: longest block on the processor`, unit: 'ms', ours: block.processorMs, target: { atMost: 100 } },
      { what: `${name}: p99 of GET /runs, beside idle`, unit: 'ms', ours: p99, floor: idle.p99, target: { ratio: 3 } },
    ])
  }
} finally {
  await program.stop()
}
