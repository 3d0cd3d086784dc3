import { expect, test } from 'vitest'

import { expectLinear } from '#tools/processor-time.ts'
import { parseRewards } from './parse-rewards.ts'

const valuesOf = (text: string) => Object.fromEntries(parseRewards(text).map(({ name, value }) => [name, value]))
const problemsOf = (text: string) => parseRewards(text).map(({ problem }) => problem)

test('one number is the reward, however it is written', () => {
  for (const text of ['0.75', '\uFEFF 0.75\r\n', '"0.75"', '7.5e-1', '+.75'])
    expect(valuesOf(text)).toEqual({ reward: 0.75 })
  expect([valuesOf('1'), valuesOf('1.'), valuesOf('-2'), valuesOf('true'), valuesOf('False')]).toEqual([
    { reward: 1 },
    { reward: 1 },
    { reward: -2 },
    { reward: 1 },
    { reward: 0 },
  ])
})

test('every name of a JSON object has its number, in the order of the file', () => {
  const text = '{"performance": 0.6, "correctness": 1, "style": "0.25", "builds": true, "leaks": false}'
  expect(Object.entries(valuesOf(text))).toEqual([
    ['performance', 0.6],
    ['correctness', 1],
    ['style', 0.25],
    ['builds', 1],
    ['leaks', 0],
  ])
})

test('what is no number is unknown with a reason, never zero', () => {
  const text =
    '{"a": NaN, "b": -Infinity, "c": 1e999, "d": null, "e": {"value": 1}, "f": [1], "g": "", "h": "0x10", "i": "1,5", "NaN \\" Infinity": 2}'
  const { 'NaN " Infinity': named, ...others } = valuesOf(text)
  expect(named).toBe(2)
  expect(new Set(Object.values(others))).toEqual(new Set([null]))
  expect(problemsOf(text)).toEqual([
    'Its value is “NaN”, which is not a number',
    'Its value is “-Infinity”, which is not a number',
    'Its value is “Infinity”, which is not a number',
    'Its value is null, which is not a number',
    'Its value is an object, which is not a number',
    'Its value is a list, which is not a number',
    'Its value is “”, which is not a number',
    'Its value is “0x10”, which is not a number',
    'Its value is “1,5”, which is not a number',
    null,
  ])
  expect([valuesOf('nan'), valuesOf('Infinity'), valuesOf('null')].map(({ reward }) => reward)).toEqual([
    null,
    null,
    null,
  ])
})

test('a text without rewards is rejected with a reason', () => {
  for (const text of ['', ' \n']) expect(() => parseRewards(text)).toThrow('it is empty')
  expect(() => parseRewards('{}')).toThrow('it contains no rewards')
  for (const text of ['all good', '[1, 2]', '{"a": 1', '{"a": 1}{"b": 2}'])
    expect(() => parseRewards(text)).toThrow('neither a number nor a JSON object')
})

test('hostile names and texts take no long time', async () => {
  expect(valuesOf('{"__proto__": 1, "constructor": 2}')).toHaveProperty('constructor', 2)
  for (const textOf of [
    (size: number) => '['.repeat(size),
    (size: number) => '"'.repeat(size),
    (size: number) => `"${'\\'.repeat(size - 1)}`,
    (size: number) => `{"a": NaN, ${'"\\"'.repeat(size / 4)}`,
    (size: number) => `${'-'.repeat(size - 3)}NaN`,
    (size: number) => `{"a": NaN, "b": "${'\\n'.repeat(size / 4)}"`,
  ])
    await expectLinear((size) => expect(() => parseRewards(textOf(size))).toThrow(), 64 * 1024)
})
