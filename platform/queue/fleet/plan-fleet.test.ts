import { expect, test } from 'vitest'

import { planFleet, sortJobs } from './plan-fleet.ts'

const size = { floor: 0, ceiling: 10, slots: 4 }
const job = (state: string, more = {}) => ({ id: '1_1', state, reason: 'None', node: '', stays: false, ...more })
const running = (count: number) => Array.from({ length: count }, () => job('RUNNING'))
const plan = (queued: number, runningRuns: number, jobs = running(0), limits = size) =>
  planFleet({ queued, running: runningRuns }, sortJobs(jobs), limits)

test('a fleet has as many workers as the queued and running runs need, and no more than its ceiling', () => {
  expect(plan(0, 0)).toEqual({ staying: 0, passing: 0 })
  expect(plan(1, 0)).toEqual({ staying: 0, passing: 1 })
  expect(plan(9, 0)).toEqual({ staying: 0, passing: 3 })
  expect(plan(20, 20, running(5))).toEqual({ staying: 0, passing: 5 })
  expect(plan(1000, 0, running(5))).toEqual({ staying: 0, passing: 5 })
  expect(plan(1000, 40, running(12))).toEqual({ staying: 0, passing: 0 })
  // Five workers with one run each have free slots for the four that wait.
  expect(plan(4, 5, running(5))).toEqual({ staying: 0, passing: 0 })
  // The server itself executes them.
  expect(plan(0, 2)).toEqual({ staying: 0, passing: 0 })
})

test('pending and configuring jobs are workers, ended ones are not', () => {
  const jobs = ['PENDING', 'CONFIGURING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED', 'TIMEOUT', 'NODE_FAIL']
  expect(
    plan(
      100,
      0,
      jobs.map((state) => job(state)),
    ),
  ).toEqual({ staying: 0, passing: 7 })
})

test('workers of the floor stay, and are replaced when they end', () => {
  const limits = { ...size, floor: 3 }
  expect(plan(0, 0, [], limits)).toEqual({ staying: 3, passing: 0 })
  expect(plan(20, 0, [], limits)).toEqual({ staying: 3, passing: 2 })
  const two = [job('RUNNING', { stays: true }), job('PENDING', { stays: true })]
  expect(plan(0, 0, two, limits)).toEqual({ staying: 1, passing: 0 })
})

test('held jobs do no work, but count towards the ceiling', () => {
  const held = [
    job('PENDING', { reason: 'JobHeldUser' }),
    job('PENDING', { reason: 'launch failed requeued held' }),
    job('REQUEUE_HOLD'),
  ]
  expect(plan(8, 0, held)).toEqual({ staying: 0, passing: 2 })
  expect(plan(1000, 0, held)).toEqual({ staying: 0, passing: 7 })
  expect(
    plan(
      1000,
      0,
      Array.from({ length: 10 }, () => held[0] ?? job('')),
    ),
  ).toEqual({ staying: 0, passing: 0 })
})
