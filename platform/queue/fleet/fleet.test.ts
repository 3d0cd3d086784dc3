import { afterEach, beforeEach, expect, test } from 'vitest'

import { makeFakeSlurm } from '#platform/program/testing/fake-slurm.ts'
import { sbatchOptions, shellWords } from './job-script.ts'
import { openFleet } from './open-fleet.ts'
import { openSlurm } from './slurm.ts'

let fake: Awaited<ReturnType<typeof makeFakeSlurm>>
let said: string[]
let time: number
beforeEach(async () => {
  fake = await makeFakeSlurm()
  said = []
  time = 0
})
afterEach(() => fake.remove())

const choices = { slots: 2, logFolder: '/logs/100%', drainSeconds: 120, sbatch: ['--mem=4G'] }

type Work = { queued: number; running: number }

function open(
  work: Work | (() => Promise<Work>),
  { ceiling = 10, floor = 0, timeoutMs = 30_000, looksOnce = false } = {},
) {
  const slurm = openSlurm({
    job: {
      name: 'lab',
      options: sbatchOptions({ ...choices, partition: 'cpu', account: 'chem', time: '8:00:00' }),
      command: shellWords(['/opt/my node', "it's.mjs", 'run-worker']),
      drainSeconds: 120,
      idleSeconds: 60,
    },
    environment: fake.environment,
    timeoutMs,
    signal: new AbortController().signal,
  })
  return openFleet({
    countWork: async () => (typeof work === 'function' ? work() : work),
    slurm,
    size: { floor, ceiling, slots: 2 },
    pollMs: 15_000,
    looksOnce,
    say: (line) => void said.push(line),
    now: () => time,
  })
}

test('a fleet submits what the queue needs as one array, once', async () => {
  const fleet = open({ queued: 5, running: 0 })
  expect(await fleet.look()).toEqual({ works: true, waitMs: 15_000 })
  await fleet.look()
  const [submission, ...others] = await fake.calls('sbatch')
  expect(others).toEqual([])
  expect(submission).toBe(
    'sbatch --export=ALL --requeue --open-mode=append --cpus-per-task=2 --output=/logs/100%%/%x-%A_%a.log ' +
      '--signal=B:TERM@150 --partition=cpu --account=chem --time=8:00:00 --mem=4G --parsable --job-name=lab --array=1-3',
  )
  expect(await fake.script()).toBe(
    `#!/bin/sh\nexec '/opt/my node' 'it'\\''s.mjs' run-worker --drain-seconds 120 --exit-when-idle 60\n`,
  )
  expect(said).toEqual([
    'Workers: 0 running',
    'Submitted 3 workers as job 101: 5 runs queued, 0 running',
    'Workers: 0 running, 3 pending (Priority)',
  ])
})

test('secrets reach the workers in the environment only', async () => {
  await open({ queued: 1, running: 0 }).look()
  expect(await fake.submittedEnvironment()).toContain('DATABASE_URL=postgres://secret')
  expect([await fake.script(), ...(await fake.calls('sbatch')), ...said].join('\n')).not.toContain('secret')
})

test('a fleet that was restarted finds its jobs, and never counts those of others', async () => {
  await fake.setJobs('7_1|lab|RUNNING|None|n1', '8|lab-other|RUNNING|None|n1', '9|labor|PENDING|Priority|')
  await open({ queued: 4, running: 0 }).look()
  expect((await fake.calls('sbatch')).map((call) => call.split(' ').at(-1))).toEqual(['--array=1-1'])
  expect((await fake.calls('squeue'))[0]).toContain(`--user=${process.getuid?.()} --name=lab,lab-floor --states=all`)
})

test('workers of the floor have a name of their own and stay without work', async () => {
  await open({ queued: 8, running: 0 }, { floor: 1 }).look()
  expect((await fake.calls('sbatch')).map((call) => call.split(' ').slice(-2))).toEqual([
    ['--job-name=lab-floor', '--array=1-1'],
    ['--job-name=lab', '--array=1-3'],
  ])
  await fake.setJobs()
  await open({ queued: 0, running: 0 }, { floor: 1 }).look()
  expect(await fake.script()).not.toContain('--exit-when-idle')
})

test('a command of Slurm that fails is tried again, later each time', async () => {
  await fake.fail('squeue', 'slurm_load_jobs error: Unable to contact slurm controller\nmore\n')
  const fleet = open({ queued: 5, running: 0 })
  const waits = []
  for (let look = 0; look < 4; look += 1) waits.push(await fleet.look())
  expect(waits.map(({ works }) => works)).toEqual([false, false, false, false])
  expect(waits.at(-1)?.waitMs).toBeGreaterThan(30_000)
  expect(said[0]).toMatch(/^squeue failed: slurm_load_jobs error: Unable to contact slurm controller\. Retrying in/)
  expect(await fake.calls('sbatch')).toEqual([])
  await fake.mend('squeue')
  expect(await fleet.look()).toEqual({ works: true, waitMs: 15_000 })
  expect(await fake.calls('sbatch')).toHaveLength(1)
})

test('a command of Slurm that hangs is killed, with the processes that it started', async () => {
  await fake.hang('squeue')
  const { works } = await open({ queued: 5, running: 0 }, { timeoutMs: 100 }).look()
  expect(works).toBe(false)
  expect(said[0]).toMatch(/^squeue did not answer within 0\.1 s\. Retrying in/)
})

test('a fleet submits nothing while its database does not answer', async () => {
  const { works } = await open(() => Promise.reject(new Error('The database does not answer'))).look()
  expect(works).toBe(false)
  expect(said[0]).toMatch(/^The database does not answer\. Retrying in/)
  expect(await fake.calls('sbatch')).toEqual([])
})

test('when Slurm refuses an array, the fleet tries half as many until Slurm accepts some', async () => {
  await fake.acceptAtMost(2)
  const fleet = open({ queued: 100, running: 0 })
  for (let look = 0; look < 4; look += 1) await fleet.look()
  expect((await fake.calls('sbatch')).map((call) => call.split('-').at(-1))).toEqual(['10', '5', '2', '4'])
  expect(said).toContain('Submitted 2 workers as job 101: 100 runs queued, 0 running')
  expect(said.join('\n')).toContain('sbatch failed: sbatch: error: QOSMaxSubmitJobPerUserLimit')
})

test('a fleet that looks only once submits nothing while Slurm still lists workers that failed', async () => {
  await fake.setJobs('1_1|lab|FAILED|NonZeroExitCode|n1')
  await open({ queued: 2, running: 0 }, { looksOnce: true }).look()
  expect(await fake.calls('sbatch')).toEqual([])
})

test('after failed jobs, the fleet waits longer before each new submission', async () => {
  await fake.setJobs('1_1|lab|FAILED|NonZeroExitCode|n1')
  const fleet = open({ queued: 2, running: 0 })
  await fleet.look()
  expect(await fake.calls('sbatch')).toHaveLength(1)

  await fake.setJobs('101_1|lab|FAILED|NonZeroExitCode|n1')
  await fleet.look()
  expect(said.at(-1)).toMatch(/^Job 101_1 failed \(NonZeroExitCode\); see its log\. No new workers for \d s$/)
  await fleet.look()
  expect(await fake.calls('sbatch')).toHaveLength(1)
  time += 10_000
  await fleet.look()
  expect(await fake.calls('sbatch')).toHaveLength(2)

  await fake.setJobs('102_1|lab|FAILED|NonZeroExitCode|n1')
  await fleet.look()
  expect(said.findLast((line) => line.includes('failed'))).toMatch(/No new workers for (8|9|10|11|12) s$/)
})

test('held jobs are reported with what to do', async () => {
  await fake.setJobs('5_1|lab|PENDING|launch failed requeued held|', '5_2|lab|PENDING|launch failed requeued held|')
  await open({ queued: 1, running: 0 }, { ceiling: 2 }).look()
  expect(said).toEqual([
    'Workers: 0 running, 2 held (launch failed requeued held). Run "scontrol release 5_1,5_2", or cancel them',
  ])
})

test('the error says that Slurm is not installed', async () => {
  fake.environment.PATH = '/nowhere'
  await open({ queued: 1, running: 0 }).look()
  expect(said[0]).toMatch(/^squeue is not installed on this machine, or not in PATH\. Retrying/)
})
