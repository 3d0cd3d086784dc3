import { expect, test } from 'vitest'

import type { RunStatus } from '#contract/run-status.ts'
import { describeAttempts } from './describe-attempts.ts'

const at = '2026-03-01T12:00:00.000000Z'
const change = (status: RunStatus, attempt: number, reason?: string) => ({
  status,
  at,
  attempt,
  ...(reason && { reason }),
})
const lost = 'The worker was lost; waiting for another attempt'

test('a run that started once has no sentence about attempts', () => {
  expect(describeAttempts([change('queued', 0), change('running', 1), change('completed', 1)])).toBeNull()
})

test('a run that started again says which attempt it is and why the others ended', () => {
  const history = [change('queued', 0), change('running', 1), change('queued', 1, lost)]
  const ended = [{ at, attempt: 1, text: 'Attempt 1 ended: The worker was lost.' }]
  expect(describeAttempts(history)).toEqual({ sentence: 'Attempt 2 is next.', ended })
  expect(describeAttempts([...history, change('running', 2), change('completed', 2)])).toEqual({
    sentence: 'This is attempt 2.',
    ended,
  })
})

test('a build that failed while the run waited for it is an attempt with its cause', () => {
  const pull = 'The build of environment e failed: the registry failed; waiting for another attempt'
  const failed = { ...change('waiting_for_ci', 1, pull), infrastructureCause: 'image_pull' as const }
  expect(describeAttempts([change('waiting_for_ci', 0), failed])).toEqual({
    sentence: 'Attempt 2 is next.',
    ended: [
      {
        at,
        attempt: 1,
        infrastructureCause: 'image_pull',
        text: 'Attempt 1 ended: The build of environment e failed: the registry failed.',
      },
    ],
  })
})
