import { expect, test } from 'vitest'

import { noOutcomes } from '#contract/outcomes.ts'
import type { RunStatus } from '#contract/run-status.ts'
import type { Run } from '#contract/runs.ts'
import { leftOutLine, statusLine, verbOf, whyNot } from './bulk-words.ts'

const run = (status: RunStatus, failed = 0) =>
  ({ status, outcomes: { ...noOutcomes, passed: failed === 0 ? 1 : 0, failed } }) as Run
const none = { queued: 0, waiting_for_ci: 0, running: 0, completed: 0, errored: 0, canceled: 0 }

test('a proposal names what it touches', () => {
  expect(statusLine({ running: 7, queued: 30 })).toBe('30 queued, 7 running')
  expect(
    leftOutLine([
      { runs: 1200, reason: 'solved' },
      { runs: 3, reason: 'Real runs cannot start: these secrets do not exist: key' },
    ]),
  ).toBe('1,200 solved; 3: Real runs cannot start: these secrets do not exist: key')
  expect(verbOf({ kind: 'cancel' }, 1)).toBe('Cancel 1 run')
  expect(verbOf({ kind: 'rerun' }, 2400)).toBe('Run 2,400 runs again')
  expect(verbOf({ kind: 'tag', newTag: 'odd' }, 2)).toBe('Add tag “odd” to 2 runs')
})

test('an action that no selected run allows says why', () => {
  const ended = { runs: [run('completed')] }
  expect(whyNot.cancel(ended)).toBe('Every selected run has ended')
  expect(whyNot.rerun(ended)).toBeNull()
  expect(whyNot.rerunFailed(ended)).toBe('No selected run is unsolved or errored')
  expect(whyNot.rerunFailed({ runs: [run('completed', 1)] })).toBeNull()
  expect(whyNot.rerun({ runs: [run('queued')] })).toBe('No selected run has ended')
  expect(whyNot.cancel({ counts: { ...none, completed: 3 } })).toBe('Every selected run has ended')
  expect(whyNot.cancel({ counts: { ...none, running: 3 } })).toBeNull()
  expect(whyNot.rerun({ counts: undefined })).toBeNull()
})
