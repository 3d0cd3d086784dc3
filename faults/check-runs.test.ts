import { expect, test } from 'vitest'

import { checkRuns, type ObservedRun, type StatusChange } from './check-runs.ts'

const at = (second: number) => `2026-11-23T10:00:${String(second).padStart(2, '0')}.000000Z`

const historyOf = (...steps: [StatusChange['status'], number][]) =>
  steps.map(([status, attempt], index) => ({ seq: index + 1, status, attempt, at: at(index) }))

const completed: ObservedRun = {
  id: 'r',
  requestId: 'q',
  status: 'completed',
  attempt: 2,
  losses: 1,
  retries: 10,
  infrastructureCause: null,
  reason: null,
  tests: 2,
  turnCount: 6,
  segmentTurns: 6,
  staleSegments: 0,
  history: historyOf(['queued', 0], ['running', 1], ['queued', 1], ['running', 2], ['completed', 2]),
}

const check = (run: Partial<ObservedRun>, cancels: { requestId: string; at: string }[] = []) =>
  checkRuns([{ ...completed, ...run }], { testsPerRun: 2, cancels }).map(({ kind, text }) => `${kind}: ${text}`)

test('a run that was lost once and then completed is legal', () => {
  expect(check({})).toEqual([])
  expect(check({}, [{ requestId: 'another', at: at(0) }])).toEqual([])
})

test('a run that used up its retries may end as errored', () => {
  const history = historyOf(['queued', 0], ['running', 1], ['errored', 1])
  const lost = { status: 'errored', attempt: 1, losses: 10, infrastructureCause: 'worker_lost', history } as const
  expect(check(lost)).toEqual([])
})

test.each<[string, Partial<ObservedRun>, string]>([
  ['has no history', { history: [] }, 'illegal: Run r has no history'],
  [
    'has not ended',
    { status: 'running', history: completed.history.slice(0, 4) },
    'stuck: Run r is still running in attempt 2',
  ],
  [
    'ended twice',
    { history: [...completed.history, { seq: 6, status: 'completed', attempt: 2, at: at(5) }] },
    'doubled: Run r ended 2 times',
  ],
  [
    'was written by a worker that had lost it',
    { history: historyOf(['queued', 0], ['running', 1], ['queued', 1], ['running', 2], ['completed', 1]) },
    'illegal: Run r is completed in attempt 1 after running in 2',
  ],
  [
    'started without a claim',
    { attempt: 0, history: historyOf(['queued', 0], ['completed', 0]) },
    'illegal: Run r went from queued to completed',
  ],
  [
    'was claimed twice at once',
    { history: historyOf(['queued', 0], ['running', 1], ['running', 2], ['completed', 2]) },
    'illegal: Run r went from running to running',
  ],
  [
    'skipped an attempt',
    { history: historyOf(['queued', 0], ['running', 2], ['completed', 2]) },
    'illegal: Run r is running in attempt 2 after queued in 0',
  ],
  [
    'lost a change of its history',
    { history: completed.history.filter(({ seq }) => seq !== 3) },
    'illegal: Run r has 4 as change 3 of its history',
  ],
  [
    'went back in time',
    { history: completed.history.map((change) => (change.seq === 5 ? { ...change, at: at(0) } : change)) },
    `illegal: Run r is completed at ${at(0)}, before it was running`,
  ],
  [
    'has another status than its history',
    { status: 'canceled' },
    'illegal: Run r is canceled in attempt 2, but its history ends with completed in 2',
  ],
  [
    'errored although it has retries left',
    { status: 'errored', reason: 'The disk is full', infrastructureCause: 'disk_full' },
    'lost: Run r errored after 1 losses: The disk is full',
  ],
  ['lost a test', { tests: 1 }, 'lost: Run r (completed) has 1 tests instead of 2'],
  ['has a test twice', { tests: 3 }, 'doubled: Run r (completed) has 3 tests instead of 2'],
  ['lost turns', { segmentTurns: 4 }, 'lost: Run r has 4 turns in its segments, but counts 6'],
  ['has turns twice', { segmentTurns: 12 }, 'doubled: Run r has 12 turns in its segments, but counts 6'],
  ['has turns of a lost attempt', { staleSegments: 1 }, 'doubled: Run r has 1 segments of an earlier attempt'],
])('a run that %s is found', (_, wrong, sentence) => {
  expect(check(wrong)).toContain(sentence)
})

test('a run that started after the cancel of its request was acknowledged is found', () => {
  expect(check({}, [{ requestId: 'q', at: at(2) }])).toEqual([
    `illegal: Run r started at ${at(3)}, after it was canceled`,
  ])
})
