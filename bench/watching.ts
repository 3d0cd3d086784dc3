import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { createKey } from '#platform/people/identity/create-key.ts'
import { startProgram } from './program.ts'
import { median, percentile, report, rounded } from './result.ts'
import { insertExperiment } from './seed-runs.ts'
import type { WatchPlan, WatchResult } from './watching-browsers.ts'

/**
 * Measures the platform while people watch a request with 200 live runs. Every browser has its own key, session and
 * connection, and polls like the request page. The number of runs dispatched meanwhile is compared with the number
 * dispatched without watchers, and the memory of the servers in the last quarter of the time with that in the second,
 * when every browser has opened the page.
 */
const browsers = Number(process.env['WATCHERS'] ?? 1000)
const seconds = Number(process.env['WATCH_SECONDS'] ?? 60)
const repeat = Number(process.env['WATCH_REPEAT'] ?? 2)
process.env['WORKER_SLOTS'] ??= '2'

const fingerprint = 'f'.repeat(64)
const keys: string[] = []
const program = await startProgram(async (services, organizationId) => {
  const person = (index: number) => ({ email: `person${index}@lab.example`, organizations: ['lab'] })
  for (let index = 0; index < browsers; index += 1)
    keys.push(await createKey(services, { ...person(index), role: 'member', kind: 'personal' }))
  const { rows } = (await services.db.execute('select id from users limit 1')) as unknown as { rows: { id: string }[] }
  const owner = { organizationId, userId: rows[0]?.id ?? '' }
  await insertExperiment(services.db, owner, { id: 'watched', fingerprint, now: new Date().toISOString() })
})

try {
  const alone = await measureAlone()
  const watched = await measureWatched()
  const { responses, unchanged, failed, unanswered, millis } = watched.result
  const [p50, p99] = [percentile(millis, 0.5), percentile(millis, 0.99)]
  process.stdout.write(
    [
      `${browsers} browsers for ${seconds} s, ${process.env['WORKER_SLOTS']} slots, load ${rounded(loadavg()[0] ?? 0)}`,
      `${rounded(responses / seconds)} answers/s, ${rounded((100 * unchanged) / responses)} % of them 304, ${failed} failed, ${unanswered} unanswered at the end`,
      `p50 ${rounded(p50)} ms, p99 ${rounded(p99)} ms`,
      `memory: platform ${inMegabytes(watched.memory.platform)}, BFF ${inMegabytes(watched.memory.bff)}`,
      `CPU: platform ${watched.cpu.platform} % (alone ${alone.cpu.platform} %), BFF ${watched.cpu.bff} %`,
      `Platform CPU per answer: ${rounded((10 * seconds * (watched.cpu.platform - alone.cpu.platform)) / responses, 2)} ms`,
      `runs started: ${rounded(alone.perSecond, 2)}/s alone, ${rounded(watched.perSecond, 2)}/s watched`,
      '',
    ].join('\n'),
  )
  report([
    { what: `${browsers} watchers: p99 of an answer`, unit: 'ms', ours: p99, target: { atMost: 500 } },
    { what: `${browsers} watchers: failed answers`, unit: 'requests', ours: failed, target: { atMost: 0 } },
    ...(['platform', 'bff'] as const).map((name) => ({
      what: `${browsers} watchers: memory of the ${name === 'bff' ? 'BFF' : name}, the end beside the second quarter`,
      unit: 'kB' as const,
      ours: watched.memory[name].end,
      floor: watched.memory[name].early,
      target: { ratio: 1.1 },
    })),
    {
      what: `${browsers} watchers: time for a run to start`,
      unit: 'ms',
      ours: 1000 / watched.perSecond,
      floor: 1000 / alone.perSecond,
      target: { ratio: 1.11 },
    },
  ])
} finally {
  await program.stop()
}

async function measureAlone() {
  const requestId = await submit()
  const measured = await measureDispatch(requestId, async () => {
    await delay(Math.min(seconds, 30) * 1000)
  })
  await api('POST', `/runs/${requestId}/cancel`)
  await delay(2000)
  return measured
}

async function measureWatched() {
  const cookies: string[] = []
  for (const key of keys) cookies.push(await program.signIn(key))
  const requestId = await submit()
  const plan: WatchPlan = { url: program.url, requestId, cookies, seconds, seed: randomBytes(4).readUInt32BE() }
  let result: WatchResult | undefined
  const memory = sampleMemory()
  const measured = await measureDispatch(requestId, async () => {
    result = await watch(plan)
  })
  if (!result) throw new Error('The browsers reported no result')
  return { ...measured, result, memory: memory.stop() }
}

/** The resident memory of both servers in kB, once a second. */
function sampleMemory() {
  const samples = { platform: [] as number[], bff: [] as number[] }
  const read = (pid: number) => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  const timer = setInterval(() => {
    for (const name of ['platform', 'bff'] as const) samples[name].push(read(program.pids[name]))
  }, 1000)
  const quarters = (values: readonly number[]) => {
    const quarter = Math.floor(values.length / 4)
    return { early: median(values.slice(quarter, 2 * quarter)), end: median(values.slice(3 * quarter)) }
  }
  return {
    stop() {
      clearInterval(timer)
      return { platform: quarters(samples.platform), bff: quarters(samples.bff) }
    },
  }
}

function inMegabytes({ early, end }: { early: number; end: number }) {
  return `${rounded(early / 1024, 0)} MB, then ${rounded(end / 1024, 0)} MB`
}

/** Runs that start per second, and the CPU use of each process, during some work. */
async function measureDispatch(requestId: string, work: () => Promise<void>) {
  const before = { started: await countStarted(requestId), at: performance.now(), cpu: cpuSeconds() }
  await work()
  const elapsed = (performance.now() - before.at) / 1000
  const now = cpuSeconds()
  const percent = (name: 'platform' | 'bff') => rounded((100 * (now[name] - before.cpu[name])) / elapsed, 0)
  const perSecond = ((await countStarted(requestId)) - before.started) / elapsed
  return { perSecond, cpu: { platform: percent('platform'), bff: percent('bff') } }
}

async function submit(): Promise<string> {
  return (await api('POST', '/experiments/watched/runs', { mock: true, repeat })).runRequestId
}

async function countStarted(requestId: string) {
  const { runs } = await api('GET', `/runs?run_request_id=${requestId}&limit=10000`)
  return (runs as { startedAt?: string }[]).filter(({ startedAt }) => startedAt).length
}

async function api(method: string, path: string, body?: unknown) {
  const headers = {
    authorization: `Bearer ${program.key}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const response = await fetch(`${program.platformUrl}/api/v1${path}`, {
    method,
    headers,
    body: JSON.stringify(body) ?? null,
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

/** The browsers run in a separate process, so that their cost is not counted as ours. */
async function watch(plan: WatchPlan): Promise<WatchResult> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./watching-browsers.ts', import.meta.url))], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child.send(plan)
  const [result] = (await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])])) as WatchResult[]
  if (!result) throw new Error('The browsers ended early')
  return result
}

/** The CPU time of both servers so far, over all their threads. */
function cpuSeconds() {
  const of = (pid: number) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  }
  return { platform: of(program.pids.platform), bff: of(program.pids.bff) }
}
