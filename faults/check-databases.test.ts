import { expect, test } from 'vitest'

import { checkAnalytics, type FinishedRun } from './check-analytics.ts'
import { checkLedger, type Ledger } from './check-ledger.ts'
import { checkRequeues, type LostWorker, measureRequeues } from './check-requeues.ts'
import type { ObservedRun } from './check-runs.ts'

const posting = (entryId: string, account: string, micros: bigint, lotId: string | null = null) => ({
  entryId,
  account,
  lotId,
  micros,
})

const ledger: Ledger = {
  postings: [
    posting('grant', 'granted', -100n),
    posting('grant', 'available', 100n, 'lot'),
    posting('hold', 'available', -30n, 'lot'),
    posting('hold', 'held', 30n, 'lot'),
    posting('usage', 'held', -30n, 'lot'),
    posting('usage', 'available', 20n, 'lot'),
    posting('usage', 'spent', 10n),
  ],
  lots: [{ id: 'lot', availableMicros: 90n, heldMicros: 0n }],
  owedMicros: 0n,
  charged: [{ runId: 'r', usages: 1, posted: 1 }],
}

const sentences = (change: Partial<Ledger>) => checkLedger({ ...ledger, ...change }).map(({ text }) => text)

test('a ledger that sums to zero and holds nothing is right', () => {
  expect(sentences({})).toEqual([])
})

test.each<[string, Partial<Ledger>, string]>([
  [
    'an entry that does not balance',
    { postings: [...ledger.postings, posting('grant', 'granted', -1n)] },
    'Entry grant sums to -1 micros',
  ],
  [
    'a lot without its postings',
    { lots: [{ id: 'lot', availableMicros: 91n, heldMicros: 0n }] },
    'Lot lot has 91 micros, but its postings sum to 90',
  ],
  [
    'credit that is still held',
    { postings: ledger.postings.slice(0, 4), lots: [{ id: 'lot', availableMicros: 70n, heldMicros: 30n }] },
    'Lot lot still holds 30 micros, although every run has ended',
  ],
  ['a debt without postings', { owedMicros: 5n }, 'The account owes 5 micros, but its postings sum to 0'],
  ['a run that nobody paid', { charged: [{ runId: 'r', usages: 0, posted: 0 }] }, 'Run r is charged 0 times'],
  ['a run paid twice', { charged: [{ runId: 'r', usages: 2, posted: 2 }] }, 'Run r is charged 2 times'],
  [
    'usage outside the ledger',
    { charged: [{ runId: 'r', usages: 1, posted: 0 }] },
    'Run r has usage that is not in the ledger',
  ],
])('%s is found', (_, change, sentence) => {
  expect(sentences(change)).toContain(sentence)
})

const finished: FinishedRun = { id: 'r', status: 'completed', outcomes: '1 0', tests: 1, turns: 6, tags: 'a' }

test('analytics that lack a run, have it twice, or differ in a fact are found', () => {
  expect(checkAnalytics([finished], [finished])).toEqual([])
  const found = (analytics: FinishedRun[]) => checkAnalytics([finished], analytics).map(({ text }) => text)
  expect(found([])).toEqual(['Analytics lacks run r (completed)'])
  expect(found([finished, finished])).toEqual(['Analytics has run r 2 times'])
  expect(found([finished, { ...finished, id: 's' }])).toEqual(['Analytics has run s, which is not finished'])
  expect(found([{ ...finished, status: 'errored', tests: 0 }])).toEqual([
    'Analytics has status errored of run r instead of completed',
    'Analytics has tests 0 of run r instead of 1',
  ])
})

const start = Date.parse('2026-11-23T10:00:00Z')
const after = (seconds: number) => start + seconds * 1000
const requeuedAfter = (seconds: number) =>
  ({
    id: 'r',
    history: [
      { seq: 1, status: 'queued', attempt: 0, at: '' },
      { seq: 2, status: 'running', attempt: 1, at: '' },
      { seq: 3, status: 'queued', attempt: 1, at: new Date(after(seconds)).toISOString() },
    ],
  }) as unknown as ObservedRun

const lost: LostWorker[] = [{ cause: 'kill', at: start, attempts: [{ runId: 'r', attempt: 1 }] }]

test('a run of a lost worker that is requeued too late is found', () => {
  const check = (seconds: number) => checkRequeues(measureRequeues(lost, [requeuedAfter(seconds)], []), 15)
  expect(check(15)).toEqual([])
  expect(check(16).map(({ kind }) => kind)).toEqual(['slow'])
})

test('the time in which the database does not answer does not count as the time of a requeue', () => {
  const [measured] = measureRequeues(lost, [requeuedAfter(20)], [{ from: after(3), to: after(12) }])
  expect(measured).toMatchObject({ seconds: 20, afterOutages: 8 })
})
