import { expect, test } from 'vitest'

import { guidanceFor } from './guidance.ts'

const timedOut = { experimentId: 'slow', prompts: [], hit: true, budgetSeconds: 900, mayAct: true }

test('the guidance for a timed-out run is to double its limit', () => {
  expect(guidanceFor(timedOut)).toMatchObject([
    {
      suggestedMaxTimeSeconds: 1800,
      actionLabel: 'Raise the limit to 30 min',
      actionUrl: '/experiments/slow/definition?maxTimeSeconds=1800',
      title: 'Timed out after 15 min',
    },
  ])
})

test('the link for prompts that timed out names them, because each can have its own limit', () => {
  const [advice] = guidanceFor({ ...timedOut, prompts: ['long', 'b.2'] })
  expect(advice?.actionUrl).toBe('/experiments/slow/definition?maxTimeSeconds=1800&prompt=long&prompt=b.2')
})

test('a caller who cannot push gets the advice without the action', () => {
  expect(guidanceFor({ ...timedOut, mayAct: false })).toMatchObject([{ actionLabel: '', actionUrl: '' }])
})

test('a run that did not time out, or that already has the longest limit, gets no guidance', () => {
  expect(guidanceFor({ ...timedOut, hit: false })).toEqual([])
  expect(guidanceFor({ ...timedOut, budgetSeconds: null })).toEqual([])
  expect(guidanceFor({ ...timedOut, budgetSeconds: 86_400 })).toEqual([])
})
