import { expect, test } from 'vitest'

import { checkTitles, checkWrites, type Outcome, type StoredWrite, type TitleChange } from './check-writes.ts'

const comment = (outcome: Outcome) => ({ kind: 'comment', key: 'c1', outcome }) as const
const stored: StoredWrite = { kind: 'comment', key: 'c1' }

const check = (outcome: Outcome, copies: StoredWrite[]) =>
  checkWrites([comment(outcome)], copies).map(({ kind, text }) => `${kind}: ${text}`)

test('acknowledged writes are there once, refused ones are not, and unanswered ones may be', () => {
  expect(check('acknowledged', [stored])).toEqual([])
  expect(check('refused', [])).toEqual([])
  expect(check('unknown', [])).toEqual([])
  expect(check('unknown', [stored])).toEqual([])
})

test.each<[string, Outcome, StoredWrite[], string]>([
  ['acknowledged and lost', 'acknowledged', [], 'lost: The comment c1 was acknowledged and is not there'],
  ['stored twice', 'acknowledged', [stored, stored], 'doubled: The comment c1 is there 2 times'],
  ['unanswered and stored twice', 'unknown', [stored, stored], 'doubled: The comment c1 is there 2 times'],
  ['refused and stored', 'refused', [stored], 'illegal: The comment c1 was refused and is there'],
  ['stored and never sent', 'unknown', [{ kind: 'tag', key: 't' }], 'illegal: Nobody sent the tag t'],
])('a write that was %s is found', (_, outcome, copies, sentence) => {
  expect(check(outcome, copies)).toContain(sentence)
})

test('a submission with too few or too many runs is found', () => {
  const sent = [{ kind: 'submission', key: 's1', outcome: 'acknowledged', size: 6 }] as const
  const kinds = [5, 6, 7].map((size) => checkWrites(sent, [{ kind: 'submission', key: 's1', size }])[0]?.kind)
  expect(kinds).toEqual(['lost', undefined, 'doubled'])
})

const change = (title: string, expected: string, more: Partial<TitleChange> = {}): TitleChange => ({
  reportId: 'r',
  title,
  expected,
  outcome: 'acknowledged',
  updatedAt: `${expected}1`,
  ...more,
})

const sentences = (changes: TitleChange[], title: string, updatedAt: string) =>
  checkTitles(changes, [{ reportId: 'r', title, updatedAt }]).map(({ text }) => text)

test('a report has the title of its last acknowledged change, or of one without an answer', () => {
  const first = change('one', '1')
  expect(sentences([first], 'one', '11')).toEqual([])
  expect(sentences([first, change('two', '11', { outcome: 'unknown' })], 'two', '12')).toEqual([])
  expect(sentences([change('none', '0', { outcome: 'refused' })], 'first title', '0')).toEqual([])
})

test('two acknowledged changes of the same state of a report are a lost update', () => {
  expect(sentences([change('one', '1'), change('two', '1', { updatedAt: '12' })], 'two', '12')).toEqual([
    '2 changes of report r at 1 succeeded: one overwrote another',
  ])
})

test('a report that lost its last change is found by its title and its time', () => {
  expect(sentences([change('one', '1'), change('two', '11')], 'one', '11')).toEqual([
    'Report r was changed at 111, but stores 11',
    'Report r has the title “one” instead of “two”',
  ])
})
