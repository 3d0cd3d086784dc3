import { setTimeout as delay } from 'node:timers/promises'

import type { LostWorker, Outage } from './check-requeues.ts'
import type { Installation } from './installation.ts'
import { descendantsOf } from './processes.ts'
import type { Supervised } from './supervised.ts'

export const killKinds = ['platform', 'worker', 'bff', 'engine', 'postgres'] as const
export const troubleKinds = ['zombie', 'cut', 'slow', 'disk', 'clock'] as const
export type KillKind = (typeof killKinds)[number]
export type TroubleKind = (typeof troubleKinds)[number]

/** How often each fault is chosen. Restarts of the database are rare, because nobody counts as lost during one. */
const weights: Record<KillKind | TroubleKind, number> = {
  platform: 3,
  worker: 5,
  bff: 2,
  engine: 3,
  postgres: 1,
  zombie: 8,
  cut: 2,
  slow: 2,
  disk: 1,
  clock: 2,
}

const requeueSeconds = 60

/** Everything that breaks the installation, and a record of it. */
export function openFaults(installation: Installation, random: () => number) {
  const { workers, platform, bff, postgres, disk, clock, databaseProxy, platformProxy } = installation
  const done = new Map<string, number>()
  const lost: LostWorker[] = []
  const outages: Outage[] = []
  let frozenRequeues = 0
  let frozen: Supervised | null = null

  const between = (low: number, high: number) => low + random() * (high - low)
  const count = (kind: string) => done.set(kind, (done.get(kind) ?? 0) + 1)
  /** Never the last one that works: then a requeue would take as long as the start of a worker. */
  const chooseWorker = () => {
    const ready = workers.filter((each) => each !== frozen && each.isReady())
    return ready.length < 2 ? undefined : ready[Math.floor(random() * ready.length)]
  }
  const attemptsOf = (pid: number) =>
    installation.query<{ runId: string; attempt: number }>(
      `select id as "runId", attempt from runs where status = 'running' and split_part(lease_owner, ':', 2) = $1`,
      [`${pid}`],
    )
  const outage = async (act: () => Promise<unknown>) => {
    const entry = { from: Date.now(), to: Infinity }
    outages.push(entry)
    await act()
    entry.to = Date.now()
  }

  async function loseWorker(worker: Supervised, cause: LostWorker['cause']) {
    const pid = worker.pid()
    const at = Date.now()
    if (cause === 'kill') worker.kill()
    else worker.freeze()
    const attempts = await attemptsOf(pid)
    lost.push({ cause, at, attempts })
    return attempts.length
  }

  /** Returns whether it killed something. */
  const kill: Record<KillKind, () => Promise<boolean>> = {
    platform: async () => platform.isReady() && platform.kill(),
    bff: async () => bff.isReady() && bff.kill(),
    async worker() {
      const worker = chooseWorker()
      if (!worker) return false
      await loseWorker(worker, 'kill')
      return true
    },
    async engine() {
      const engines = descendantsOf(platform.pid()).filter(({ command }) => command.includes('engine-main'))
      const engine = engines[Math.floor(random() * engines.length)]
      return engine !== undefined && killProcess(engine.pid)
    },
    async postgres() {
      await outage(() => postgres.crash('SIGKILL'))
      return true
    },
  }

  const trouble: Record<TroubleKind, () => Promise<boolean>> = {
    /** Freezes a worker until the others have its runs, and lets it continue as if nothing had happened. */
    async zombie() {
      const worker = chooseWorker()
      if (!worker) return false
      frozen = worker
      const pid = worker.pid()
      const held = await loseWorker(worker, 'freeze')
      const end = performance.now() + requeueSeconds * 1000
      while ((await attemptsOf(pid)).length > 0 && performance.now() < end) await delay(200)
      await delay(between(0, 2000))
      worker.thaw()
      frozen = null
      if (held > 0) frozenRequeues += 1
      return held > 0
    },
    async cut() {
      const now = Date.now()
      outages.push({ from: now, to: now })
      const share = between(0.3, 1)
      for (const proxy of [databaseProxy, platformProxy]) proxy.cut(share, random)
      return true
    },
    async slow() {
      const proxy = random() < 0.5 ? databaseProxy : platformProxy
      await outage(async () => {
        proxy.slow(between(20, 300))
        await delay(between(2000, 6000))
        proxy.slow(0)
      })
      return true
    },
    async disk() {
      // Nobody claims runs meanwhile, but whatever runs already may find the disk full.
      await outage(async () => {
        await disk.fill(random() < 0.5 ? 0 : 4 * 1024 * 1024)
        await delay(between(2000, 6000))
        await disk.empty()
      })
      return true
    },
    async clock() {
      clock.step(-Math.round(between(5, 7200)))
      await delay(between(2000, 6000))
      clock.step(0)
      return true
    },
  }

  return {
    random,
    done,
    lost,
    outages,
    frozenRequeues: () => frozenRequeues,
    kills: () => killKinds.reduce((sum, kind) => sum + (done.get(kind) ?? 0), 0),
    async inject(kinds: readonly (KillKind | TroubleKind)[]) {
      const kind = choose(kinds, random)
      const all = { ...kill, ...trouble }
      if (await all[kind]()) count(kind)
    },
    /** Ends what a fault may have left. */
    async heal() {
      for (const worker of workers) worker.thaw()
      for (const proxy of [databaseProxy, platformProxy]) proxy.slow(0)
      clock.step(0)
      await disk.empty()
      await Promise.all(installation.programs.map((program) => program.untilReady()))
    },
  }
}

export type Faults = ReturnType<typeof openFaults>

function choose<Kind extends KillKind | TroubleKind>(kinds: readonly Kind[], random: () => number): Kind {
  let left = random() * kinds.reduce((sum, kind) => sum + weights[kind], 0)
  for (const kind of kinds) if ((left -= weights[kind]) < 0) return kind
  return kinds[0] as Kind
}

function killProcess(pid: number) {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}
