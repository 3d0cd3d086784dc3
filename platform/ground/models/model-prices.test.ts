import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, test } from 'vitest'

import { costOf, costOfCall } from './cost-of.ts'
import { loadModelPrices } from './load-model-prices.ts'
import { builtInPrices } from './model-prices.ts'
import { ownPricesOf, withOwnPrices } from './own-prices.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-prices-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function priceFile(content: unknown) {
  const file = join(folder, 'prices.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const spent = { input: 1_000_000, output: 100_000, cacheRead: 0, cacheWrite: 0 }

test('input, output and the two kinds of cached input each have their price', () => {
  expect(costOf(builtInPrices, 'claude-sonnet-4-5', spent)).toBeCloseTo(4.5, 10)
  const cached = { ...spent, cacheRead: 400_000, cacheWrite: 100_000 }
  expect(costOf(builtInPrices, 'claude-sonnet-4-5', cached)).toBeCloseTo(1.5 + 1.5 + 0.12 + 0.375, 10)
})

test('a dated snapshot costs what its model does', () => {
  for (const model of ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929']) {
    expect(costOf(builtInPrices, model, spent)).toBeCloseTo(4.5, 10)
  }
  expect(costOf(builtInPrices, 'gpt-5-2025-08-07', spent)).toBeCloseTo(2.25, 10)
})

test('a model that is not in the table costs null, not zero', () => {
  for (const model of ['my-own-model', 'gpt-5-turbo-max', 'constructor', null]) {
    expect(costOf(builtInPrices, model, spent)).toBeNull()
  }
})

test('a run that does not say its tokens costs null', () => {
  expect(costOf(builtInPrices, 'gpt-5', { ...spent, input: null })).toBeNull()
  expect(costOf(builtInPrices, 'gpt-5', { ...spent, output: null })).toBeNull()
})

test('cached tokens without a price of their own, or more of them than input, cost null', () => {
  expect(costOf({ plain: { input: 1, output: 1 } }, 'plain', { ...spent, cacheRead: 1 })).toBeNull()
  expect(costOf(builtInPrices, 'gpt-5', { ...spent, input: 5, cacheRead: 6 })).toBeNull()
})

test('where long prompts cost more, a run that may have had some costs null', () => {
  const short = { ...spent, input: 200_000 }
  expect(costOf(builtInPrices, 'gemini-2.5-pro', short)).toBeCloseTo(1.25, 10)
  expect(costOf(builtInPrices, 'gemini-2.5-pro', { ...short, input: 200_001 })).toBeNull()
})

test('MODEL_PRICES_FILE adds, replaces and removes prices', () => {
  const file = priceFile({ 'my-own-model': { input: 2, output: 4 }, 'gpt-5': { input: 1, output: 1 }, 'gpt-5.5': null })
  const prices = loadModelPrices(file)
  expect(costOf(prices, 'my-own-model', spent)).toBeCloseTo(2.4, 10)
  expect(costOf(prices, 'gpt-5', spent)).toBeCloseTo(1.1, 10)
  expect(costOf(prices, 'gpt-5.5', { ...spent, input: 10 })).toBeNull()
  expect(costOf(prices, 'claude-opus-5', spent)).toBeCloseTo(7.5, 10)
  expect(loadModelPrices(undefined)).toBe(builtInPrices)
})

test('a price file that cannot be used says which, where and why', () => {
  const wrong = priceFile({ 'gpt-5': { input: -1, output: 'cheap' } })
  expect(() => loadModelPrices(wrong)).toThrow(wrong)
  expect(() => loadModelPrices(wrong)).toThrow(/gpt-5.*input[\s\S]*gpt-5.*output/)
  expect(() => loadModelPrices(priceFile('{'))).toThrow('cannot be read')
  expect(() => loadModelPrices(join(folder, 'none.json'))).toThrow('none.json')
})

test('an organization’s own price keeps what only the list says: long prompts, and cache writes of an hour', () => {
  const own = (model: string) => ({ model, input: 1, output: 10, cacheRead: null, cacheWrite: null })
  const rules = { ownPrices: ['claude-sonnet-4-5', 'gpt-5.5-2026-04-01', 'our-model'].map(own) }
  const prices = withOwnPrices(builtInPrices, ownPricesOf(rules))
  const tokens = { input: 300_000, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0 }
  const hour = { ...tokens, cacheWrite: 300_000, cacheWriteHour: 300_000 }
  expect(costOfCall(prices, 'claude-sonnet-4-5', hour)).toBeCloseTo(0.6, 10)
  expect(costOfCall(prices, 'gpt-5.5-2026-04-01', tokens)).toBeCloseTo(0.6, 10)
  expect(costOfCall(prices, 'our-model', hour)).toBeCloseTo(0.3, 10)
  expect(costOfCall(prices, 'claude-opus-5', hour)).toBeCloseTo(3, 10)
})
