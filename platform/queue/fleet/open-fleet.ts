import { counted } from '#contract/wire/counted.ts'
import { messageOf } from '#contract/wire/message-of.ts'
import { waitSeconds } from '#platform/ground/loops/backoff.ts'
import type { Work } from '#platform/queue/run-queue/count-work.ts'
import { type FleetSize, planFleet, sortJobs, type Workers } from './plan-fleet.ts'
import type { Job, Slurm } from './slurm.ts'
import { watchFailures } from './watch-failures.ts'

type Options = {
  countWork: () => Promise<Work>
  slurm: Slurm
  size: FleetSize
  pollMs: number
  /** Another process does the next look. */
  looksOnce?: boolean
  /** Prints a line. */
  say: (line: string) => void
  now?: () => number
}

/** Submits workers as they are needed. It never cancels a job: workers without work end on their own. */
export function openFleet(options: Options) {
  const { countWork, slurm, size, pollMs, say, looksOnce = false, now = () => performance.now() } = options
  const failures = watchFailures(now, { looksOnce })
  const sayIfNew = onlyChanges(say)
  let errorsInARow = 0
  // A cluster may accept some workers but not all. After a refusal half as many are tried, after a success twice as many.
  let most = size.ceiling

  const submit = async (count: number, stays: boolean, work: Work) => {
    const some = Math.min(count, most)
    if (some === 0) return
    const before = most
    most = Math.max(1, Math.floor(some / 2))
    const id = await slurm.submit({ count: some, stays })
    most = Math.min(size.ceiling, Math.max(before, some * 2))
    say(`Submitted ${counted(some, 'worker')} as job ${id}: ${describeWork(work)}`)
  }

  const step = async () => {
    const [work, jobs] = await Promise.all([countWork(), slurm.list()])
    const workers = sortJobs(jobs)
    const failed = failures.look(jobs)
    if (failed.length > 0) say(describeFailures(failed, failures.waitMs()))
    sayIfNew(describeWorkers(workers))
    if (failures.waitMs() > 0) return
    const { staying, passing } = planFleet(work, workers, size)
    await submit(staying, true, work)
    await submit(passing, false, work)
  }

  return {
    /** Looks once. Returns whether that worked, and how long to wait before the next look. */
    async look(): Promise<{ works: boolean; waitMs: number }> {
      try {
        await step()
        errorsInARow = 0
        return { works: true, waitMs: pollMs }
      } catch (error) {
        errorsInARow += 1
        const waitMs = Math.max(pollMs, waitSeconds(errorsInARow) * 1000)
        const why = messageOf(error)
        say(`${why}. Retrying in ${Math.round(waitMs / 1000)} s`)
        return { works: false, waitMs }
      }
    },
  }
}

function onlyChanges(say: (line: string) => void) {
  let last = ''
  return (line: string) => {
    if (line !== last) say(line)
    last = line
  }
}

const describeWork = ({ queued, running }: Work) => `${counted(queued, 'run')} queued, ${running} running`

function describeWorkers({ live, held }: Workers) {
  const running = live.filter(({ state }) => state === 'RUNNING').length
  const waiting = live.filter(({ state }) => state !== 'RUNNING')
  const parts = [`${running} running`]
  if (waiting.length > 0) parts.push(`${waiting.length} pending${reasonsOf(waiting)}`)
  if (held.length > 0)
    parts.push(
      `${held.length} held${reasonsOf(held)}. Run "scontrol release ${held.map(({ id }) => id).join(',')}", or cancel them`,
    )
  return `Workers: ${parts.join(', ')}`
}

function reasonsOf(jobs: readonly Job[]) {
  const reasons = new Set(jobs.map(({ reason }) => reason).filter((reason) => reason !== '' && reason !== 'None'))
  return reasons.size > 0 ? ` (${[...reasons].toSorted().join(', ')})` : ''
}

function describeFailures(failed: readonly Job[], waitMs: number) {
  const [jobs, logs] = failed.length === 1 ? ['Job', 'its log'] : ['Jobs', 'their logs']
  const ids = failed.map(({ id }) => id).join(', ')
  return `${jobs} ${ids} failed${reasonsOf(failed)}; see ${logs}. No new workers for ${Math.round(waitMs / 1000)} s`
}
