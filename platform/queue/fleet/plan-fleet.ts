import type { Work } from '#platform/queue/run-queue/count-work.ts'
import type { Job } from './slurm.ts'

export type FleetSize = {
  /** Workers that stay, even without work. */
  floor: number
  ceiling: number
  /** How many runs a worker executes at once. */
  slots: number
}

/** The jobs of a fleet: those that run or will run, and those that somebody must release first. */
export type Workers = { live: Job[]; held: Job[] }

const isHeld = ({ state, reason }: Job) =>
  state === 'REQUEUE_HOLD' || state === 'SPECIAL_EXIT' || (state === 'PENDING' && /held/i.test(reason))

const liveStates = new Set(['PENDING', 'CONFIGURING', 'RUNNING', 'REQUEUED', 'REQUEUE_FED', 'RESIZING', 'SUSPENDED'])

export function sortJobs(jobs: readonly Job[]): Workers {
  const held = jobs.filter(isHeld)
  return { held, live: jobs.filter((job) => liveStates.has(job.state) && !isHeld(job)) }
}

/**
 * How many workers to submit: enough for the work, between the floor and the ceiling. Held jobs do no work but count
 * towards the ceiling; otherwise a fleet whose jobs are all held would submit more forever. Workers beyond the need end
 * on their own when they are idle.
 */
export function planFleet({ queued, running }: Work, { live, held }: Workers, { floor, ceiling, slots }: FleetSize) {
  // Without a queue, the runs in progress have their workers, some of which may be no jobs of this fleet.
  const wanted = Math.max(floor, queued === 0 ? 0 : Math.ceil((queued + running) / slots))
  const missing = Math.max(0, Math.min(wanted - live.length, ceiling - live.length - held.length))
  const staying = live.filter(({ stays }) => stays).length
  const toStay = Math.min(missing, Math.max(0, floor - staying))
  return { staying: toStay, passing: missing - toStay }
}
