import { expect, test } from 'vitest'

import { tableFileTitle } from './table-file-title.ts'

test('the file of a table names the experiment, the view and its metric, and what the rows are', () => {
  expect(tableFileTitle('Metric · Summarize a CSV file · Assay', 'time by group')).toBe(
    'Summarize a CSV file Metric time by group',
  )
  expect(tableFileTitle('Leaderboard · Обзор · Assay', 'groups')).toBe('Обзор Leaderboard groups')
})

test('the file of a table says once what its page is named after', () => {
  expect(tableFileTitle('Members · Assay', 'members')).toBe('members')
  expect(tableFileTitle('Usage · Assay', 'usage by model')).toBe('usage by model')
  expect(tableFileTitle('', 'runs')).toBe('runs')
})
