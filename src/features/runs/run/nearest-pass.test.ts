import { expect, test } from 'vitest'

import type { Run } from '#contract/runs.ts'
import type { TestOutcome } from '#src/api/request-tests.ts'
import { nearestPass } from './nearest-pass.ts'

const run = (variantId: string, repeat: number) => ({ id: `${variantId}::${repeat}`, variantId, repeat }) as Run

const outcome = (runId: string, result: 'passed' | 'failed', at: number) =>
  ({ id: `uuid-${runId}:${at}`, runId, testName: 'is hard', outcome: result }) as TestOutcome

const groups = [
  { variantId: 'hasty', runs: [run('hasty', 1), run('hasty', 2)] },
  { variantId: 'patient', runs: [run('patient', 1)] },
]

test('a failed run is compared with a run of another variant that passed the test', () => {
  const tests = [outcome('hasty::1', 'failed', 0), outcome('patient::1', 'passed', 0)]
  expect(nearestPass({ groups, tests }, run('hasty', 1), 'is hard')?.id).toBe('patient::1')
})

test('another repeat of the same variant is preferred for the comparison', () => {
  const tests = [outcome('patient::1', 'passed', 0), outcome('hasty::2', 'passed', 0)]
  expect(nearestPass({ groups, tests }, run('hasty', 1), 'is hard')?.id).toBe('hasty::2')
})
