import { expect, test } from 'vitest'

import type { Turn } from '#contract/runs.ts'

import { cutAtMatches, findInTurns, matchFrom } from './transcript-find.ts'
import { clampText, filterTurns, indexOfSeq, isFoldedAtFirst, summaryLine } from './transcript-view.ts'

const turn = (seq: number, text: string, more: Partial<Turn> = {}): Turn => ({
  seq,
  ts: null,
  role: 'assistant',
  kind: 'message',
  text,
  ...more,
})

const turns = [
  turn(1, 'Write it', { role: 'user' }),
  turn(3, 'thinking', { kind: 'reasoning' }),
  turn(4, 'ls -la\ncat a', { kind: 'tool_call', tool: 'bash' }),
  turn(7, 'Straße İstanbul write', { role: 'tool', kind: 'tool_result' }),
]

test('filters by role and kind; reasoning that was asked for stays', () => {
  expect(filterTurns(turns, { roles: [], kinds: [] })).toBe(turns)
  expect(filterTurns(turns, { roles: ['assistant'], kinds: ['message'] }).map(({ seq }) => seq)).toEqual([3])
  expect(filterTurns(turns, { roles: ['user', 'tool'], kinds: [] }).map(({ seq }) => seq)).toEqual([1, 7])
})

test('long tool output is folded, failures and talk are not', () => {
  expect(turns.map(isFoldedAtFirst)).toEqual([false, false, true, false])
  expect(isFoldedAtFirst(turn(1, 'a\nb', { kind: 'tool_result', failed: true }))).toBe(false)
  expect(summaryLine('\n  first\nsecond')).toBe('first')
})

test('a megabyte is clamped, a little too much is not', () => {
  const long = clampText('x'.repeat(1_000_000))
  expect([long.text.length, long.rest]).toEqual([12_000, 988_000])
  expect(clampText('x'.repeat(12_500)).rest).toBe(0)
  const lines = clampText('line\n'.repeat(5000))
  expect(lines.text.split('\n')).toHaveLength(200)
})

test('a link to a hidden turn leads to the one before it', () => {
  expect([0, 1, 2, 3, 5, 99].map((seq) => indexOfSeq(turns, seq))).toEqual([0, 0, 0, 1, 2, 3])
})

test('finds literally, without case, at the offsets of the text itself', () => {
  expect(findInTurns(turns, 'WRITE')).toEqual([
    { index: 0, start: 0, end: 5 },
    { index: 3, start: 16, end: 21 },
  ])
  expect(findInTurns(turns, 'a\ncat')).toHaveLength(1)
  expect(findInTurns([turn(1, 'a.b(c')], '.b(')).toHaveLength(1)
  expect(findInTurns(turns, '  ')).toEqual([])
})

test('the next match follows the reader and wraps round', () => {
  const matches = findInTurns(turns, 'write')
  expect([matchFrom(matches, 0), matchFrom(matches, 1), matchFrom(matches, 4)]).toEqual([0, 1, 0])
})

test('a text is cut at its matches, and clamped matches are left out', () => {
  const found = [
    { index: 0, start: 2, end: 4, number: 7 },
    { index: 0, start: 50, end: 52, number: 8 },
  ]
  expect(cutAtMatches('abcdef', found)).toEqual([
    { at: 0, text: 'ab', match: null },
    { at: 2, text: 'cd', match: 7 },
    { at: 4, text: 'ef', match: null },
  ])
})
