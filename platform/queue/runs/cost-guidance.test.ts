import { expect, test } from 'vitest'

import { costGuidance } from './cost-guidance.ts'

const stopped = { experimentId: 'dear', hit: 'run' as const, maxCostUsd: 0.5, mayAct: true }

test('the guidance for a run that reached its cost limit is to double it', () => {
  expect(costGuidance(stopped)).toMatchObject([
    {
      title: 'Stopped at the cost limit of $0.5',
      message: 'Tests did not run. Raise limits.maxCostUsd, for example to 1, and resubmit.',
      actionUrl: '/experiments/dear/definition',
    },
  ])
})

test('the guidance for a submission that reached its budget is to submit the missing runs again', () => {
  expect(costGuidance({ ...stopped, hit: 'request' })).toMatchObject([
    { title: 'The submission reached its budget of $0.5', actionUrl: '/experiments/dear' },
  ])
})

test('a caller who cannot push gets the advice without the action, and a run within its limits gets none', () => {
  expect(costGuidance({ ...stopped, mayAct: false })).toMatchObject([{ actionLabel: '', actionUrl: '' }])
  expect(costGuidance({ ...stopped, hit: null })).toEqual([])
})
