import { expect, test } from 'vitest'

import { calendarDate, dayOfMonth, relativeTime } from './dates.ts'
import { milliseconds, seconds } from './durations.ts'
import { shortId } from './ids.ts'
import { usd } from './money.ts'
import { count, counted, fixedPercent, percent, tokens } from './numbers.ts'

test('a missing number shows as a dash, never as zero', () => {
  expect([count(null), tokens(null), percent(null), seconds(null), milliseconds(null), usd(null)]).toEqual(
    Array.from({ length: 6 }, () => '–'),
  )
})

test('only an exact zero shows as 0 %, and only an exact one as 100 %', () => {
  const shares = [0, 0.001, 0.0099, 0.01, 0.5, 0.99, 0.991, 0.999, 1, 2.5]
  expect(shares.map((share) => percent(share))).toEqual([
    '0 %',
    '<1 %',
    '<1 %',
    '1 %',
    '50 %',
    '99 %',
    '>99 %',
    '>99 %',
    '100 %',
    '250 %',
  ])
})

test('a rate has one decimal, however many runs it is over', () => {
  expect(percent(235 / 400, 1)).toBe('58.8 %')
  expect(fixedPercent(202 / 400)).toBe('50.5 %')
  expect(percent(10 / 30, 1)).toBe('33.3 %')
})

test('with decimals, only an exact zero shows as 0 % and only an exact one as 100 %', () => {
  expect([0, 0.0004, 0.001, 0.5875, 0.999, 0.9996, 1].map((share) => percent(share, 1))).toEqual([
    '0 %',
    '<0.1 %',
    '0.1 %',
    '58.8 %',
    '99.9 %',
    '>99.9 %',
    '100 %',
  ])
})

test('in a column too, only an exact zero shows as 0 % and only an exact one as 100 %', () => {
  const shares = [0, 2 ** -53, 0.0004, 0.5, 0.999, 0.9996, 1 - 2 ** -53, 1]
  expect(shares.map((share) => fixedPercent(share))).toEqual([
    '0.0 %',
    '0.0 %',
    '<0.1 %',
    '50.0 %',
    '99.9 %',
    '>99.9 %',
    '100.0 %',
    '100.0 %',
  ])
})

test('a share with a rounding error in its last bit still shows as 0 % or 100 %', () => {
  expect([1 - 2 ** -53, 2 ** -53].map((share) => percent(share))).toEqual(['100 %', '0 %'])
})

test('durations show their two largest units', () => {
  expect([0.34, 4.25, 12.4, 59.9, 185, 7800].map(seconds)).toEqual([
    '340 ms',
    '4.3 s',
    '12 s',
    '59 s',
    '3 m 05 s',
    '2 h 10 m',
  ])
})

test('a cheap run does not show as free', () => {
  expect([0, 0.00042, 0.5, 1234.5].map(usd)).toEqual(['$0.00', '$0.00042', '$0.50', '$1,234.50'])
})

test('counts include their unit', () => {
  expect([counted(1, 'run'), counted(2400, 'run'), tokens(12_400)]).toEqual(['1 run', '2,400 runs', '12.4K'])
})

test('times are shown relative to now', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  const times = ['2026-11-20T11:59:30Z', '2026-11-20T11:57:00Z', '2026-11-19T11:00:00Z', '2026-11-20T12:00:05Z']
  expect(times.map((time) => relativeTime(time, now))).toEqual(['just now', '3m ago', '1d ago', 'just now'])
})

test('what has happened is not ahead, however late the clock of the reader is, but an expiry is', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  expect(relativeTime('2026-11-20T12:07:30Z', now)).toBe('just now')
  expect(relativeTime('2026-11-20T12:07:30Z', now, true)).toBe('in 7m')
})

test('a day in UTC stays that day, wherever it is read', () => {
  expect([dayOfMonth('2026-11-20'), calendarDate('2026-01-01')]).toEqual(['20 Nov', '1 Jan 2026'])
})

test('hashes and UUIDs are shortened, names are not', () => {
  expect([shortId('c0ffee'.padEnd(64, '0')), shortId('parse-roman')]).toEqual(['c0ffee00', 'parse-roman'])
})

test('the short ids of two UUIDs of the same minute differ', () => {
  const ids = ['01a20b7d-8f60-7000-8000-0000123456ab', '01a20b7d-9a31-7000-8000-0000654321cd']
  expect(ids.map(shortId)).toEqual(['123456ab', '654321cd'])
})

test('a share shows the same however its mean was summed', () => {
  expect([0.5875, 0.5875 - 2 ** -53, 0.5875 + 2 ** -53].map((share) => percent(share, 1))).toEqual(
    Array.from({ length: 3 }, () => '58.8 %'),
  )
})
