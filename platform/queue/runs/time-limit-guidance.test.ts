import { expect, test } from 'vitest'

import { timeLimitGuidance } from './time-limit-guidance.ts'

const timedOut = { experimentId: 'slow', prompts: [], hit: true, budgetSeconds: 900, mayAct: true }

test('the guidance for a timed-out run is to double its limit', () => {
  expect(timeLimitGuidance(timedOut)).toMatchObject([
    {
      suggestedMaxTimeSeconds: 1800,
      actionLabel: 'Raise the limit to 30 min',
      actionUrl: '/experiments/slow/definition?maxTimeSeconds=1800',
      title: 'Timed out after 15 min',
    },
  ])
})

test('the link for prompts that timed out names them, because each can have its own limit', () => {
  const [advice] = timeLimitGuidance({ ...timedOut, prompts: ['long', 'b.2'] })
  expect(advice?.actionUrl).toBe('/experiments/slow/definition?maxTimeSeconds=1800&prompt=long&prompt=b.2')
})

test('a caller who cannot push gets the advice without the action', () => {
  expect(timeLimitGuidance({ ...timedOut, mayAct: false })).toMatchObject([{ actionLabel: '', actionUrl: '' }])
})

test('a run that did not time out, or that already has the longest limit, gets no guidance', () => {
  expect(timeLimitGuidance({ ...timedOut, hit: false })).toEqual([])
  expect(timeLimitGuidance({ ...timedOut, budgetSeconds: null })).toEqual([])
  expect(timeLimitGuidance({ ...timedOut, budgetSeconds: 86_400 })).toEqual([])
})
