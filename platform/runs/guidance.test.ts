import { expect, test } from 'vitest'

import { guidanceFor } from './guidance.ts'

const timedOut = { experimentId: 'slow', hit: true, budgetSeconds: 900, mayAct: true }

test('a run that ran out of time is told to double its limit', () => {
  expect(guidanceFor(timedOut)).toMatchObject([
    {
      suggestedMaxTimeSeconds: 1800,
      actionLabel: 'Raise the limit to 30 min',
      actionUrl: '/experiments/slow/definition?maxTimeSeconds=1800',
      title: 'Ran out of time after 15 min',
    },
  ])
})

test('whoever may not act gets the advice without the action', () => {
  expect(guidanceFor({ ...timedOut, mayAct: false })).toMatchObject([{ actionLabel: '', actionUrl: '' }])
})

test('every other run gets none, nor one that has the longest limit there is', () => {
  expect(guidanceFor({ ...timedOut, hit: false })).toEqual([])
  expect(guidanceFor({ ...timedOut, budgetSeconds: null })).toEqual([])
  expect(guidanceFor({ ...timedOut, budgetSeconds: 86_400 })).toEqual([])
})
