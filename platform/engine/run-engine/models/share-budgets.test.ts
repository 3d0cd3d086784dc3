import { expect, test } from 'vitest'

import { shareBudgets } from './share-budgets.ts'

test('a run that leaves twice does not end the budget of the other runs of its request', () => {
  const budgets = shareBudgets(async () => 0)
  const first = budgets.join('request', 1)
  const second = budgets.join('request', 1)
  expect(second.budget).toBe(first.budget)
  first.leave()
  first.leave()
  expect(budgets.join('request', 1).budget).toBe(second.budget)
})

test('a budget ends with the last run of its request', () => {
  const budgets = shareBudgets(async () => 0)
  const first = budgets.join('request', 1)
  first.leave()
  expect(budgets.join('request', 1).budget).not.toBe(first.budget)
})
