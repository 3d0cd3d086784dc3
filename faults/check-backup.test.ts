import { expect, test } from 'vitest'

import { checkBackup } from './check-backup.ts'
import type { StoredReport, StoredWrite, TitleChange, Write } from './check-writes.ts'

const comment = (number: number): Write => ({ kind: 'comment', key: `comment-7-${number}`, outcome: 'acknowledged' })
const title = (number: number): TitleChange => ({
  reportId: 'r',
  title: `report-7-${number}`,
  expected: `${number - 1}`,
  outcome: 'acknowledged',
  updatedAt: `${number}`,
})
/** One write and one title before the backup, one of each while it was made, and one of each afterwards. */
const journal = { writes: [1, 3, 5].map(comment), titles: [2, 4, 6].map(title), cancels: [] }
const times = { answered: { writes: 1, titles: 1, cancels: 0 }, sent: 4 }

const check = (numbers: number[], titled: number) =>
  checkBackup(journal, times, {
    writes: numbers.map((number): StoredWrite => ({ kind: 'comment', key: `comment-7-${number}` })),
    reports: [{ reportId: 'r', title: `report-7-${titled}`, updatedAt: `${titled}` } satisfies StoredReport],
  }).map(({ kind, text }) => `${kind}: ${text}`)

test('a backup has what was answered before it began, and may have what was sent while it was made', () => {
  expect(check([1], 2)).toEqual([])
  expect(check([1, 3], 4)).toEqual([])
})

test('a write that was answered before the backup and is not in it is found', () => {
  expect(check([3], 2)).toEqual(['lost: The comment comment-7-1 was acknowledged and is not there'])
})

test('a write that was sent after the backup and is in it is found', () => {
  expect(check([1, 5], 6)).toContain('illegal: comment-7-5 was sent after the backup and is in it')
  expect(check([1, 5], 6)).toContain('illegal: report-7-6 was sent after the backup and is in it')
})

test('a title that was replaced before the backup is found', () => {
  expect(check([1], 0)).toEqual([
    'lost: Report r was changed at 2, but stores 0',
    'lost: Report r has the title “report-7-0” instead of “report-7-2”',
  ])
})
