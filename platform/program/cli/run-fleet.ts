import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { openDatabase } from '#platform/ground/database/open-database.ts'
import { isLoopbackHost } from '#platform/ground/egress/local-names.ts'
import { sbatchOptions, shellWords } from '#platform/queue/fleet/job-script.ts'
import { openFleet } from '#platform/queue/fleet/open-fleet.ts'
import { openSlurm } from '#platform/queue/fleet/slurm.ts'
import { refuseShortLimit } from '#platform/queue/fleet/time-limit.ts'
import { countWork } from '#platform/queue/run-queue/count-work.ts'
import type { PlatformConfig } from '#platform/program/server/platform-config.ts'

export type FleetChoices = {
  name?: string
  floor: number
  ceiling: number
  slots?: number
  partition?: string
  account?: string
  time?: string
  sbatch: string[]
  drainSeconds: number
  idleSeconds: number
  pollSeconds: number
  timeoutSeconds: number
  logs?: string
  dataDir?: string
  worker?: string
  once?: boolean
}

const defaultSlots = 2

const say = (line: string) => void process.stdout.write(`${line}\n`)

/** Keeps workers submitted until it is stopped. Jobs keep running, and the next fleet of this name finds them. */
export async function runFleet(config: PlatformConfig, choices: FleetChoices) {
  const { databaseUrl } = config
  if (databaseUrl === undefined)
    throw new Error('A fleet needs DATABASE_URL, because workers on other machines cannot open an embedded database')
  if (choices.floor > choices.ceiling) throw new Error('--floor must not be greater than --ceiling')
  if (choices.time !== undefined) refuseShortLimit(choices.time, choices.drainSeconds)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
  const { floor, ceiling, idleSeconds } = choices
  const slots = choices.slots ?? (config.workerSlots || defaultSlots)
  const name = choices.name ?? fleetName(databaseUrl)
  const logFolder = resolve(choices.logs ?? `${config.dataFolder}/fleet`)
  await mkdir(logFolder, { recursive: true, mode: 0o700 })
  const slurm = openSlurm({
    job: {
      name,
      options: sbatchOptions({ ...choices, slots, logFolder }),
      command: choices.worker ?? shellWords(ownCommand()),
      drainSeconds: choices.drainSeconds,
      idleSeconds,
    },
    environment: {
      ...process.env,
      WORKER_SLOTS: String(slots),
      DATA_DIR: choices.dataDir ?? config.dataFolder,
      // Workers on one node cannot share a port.
      METRICS_PORT: '',
    },
    timeoutMs: choices.timeoutSeconds * 1000,
    signal: stopping.signal,
  })
  const { db, close } = await openDatabase({ url: databaseUrl })
  try {
    say(`Fleet ${name}: ${floor} to ${ceiling} workers with ${slots} slots each. Their logs are in ${logFolder}`)
    if (isLoopbackHost(new URL(databaseUrl).hostname))
      say('DATABASE_URL names this machine: workers on other machines cannot reach it')
    const fleet = openFleet({
      countWork: () => countWork(db),
      slurm,
      size: { floor, ceiling, slots },
      pollMs: choices.pollSeconds * 1000,
      looksOnce: Boolean(choices.once),
      say: (line) => stopping.signal.aborted || say(line),
    })
    for (;;) {
      const { works, waitMs } = await fleet.look()
      if (choices.once && !works) process.exitCode = 1
      if (choices.once || stopping.signal.aborted) break
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    const ofFloor = floor > 0 ? '. Floor workers run until their time limit' : ''
    if (!choices.once)
      say(`The fleet has stopped. Its workers keep running and exit after ${idleSeconds} s without work${ofFloor}`)
  } finally {
    await close()
  }
}

/** The same program on the nodes, where it must be in the same folder. */
const ownCommand = () => [process.execPath, ...process.execArgv, process.argv[1] ?? '', 'run-worker']

/** Two installations of one user have different databases. Passwords may change. */
function fleetName(databaseUrl: string) {
  const { host, pathname } = new URL(databaseUrl)
  return `assay-${createHash('sha256').update(`${host}${pathname}`).digest('hex').slice(0, 8)}`
}
