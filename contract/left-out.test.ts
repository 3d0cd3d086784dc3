import { expect, test } from 'vitest'

import { describeLeftOut, groupLeftOut } from './left-out.ts'

const log = (name: string) => ({ what: 'file' as const, file: name, reason: 'no known format of results' })

test('what is left out for one reason is one group with every name, and notes are apart', () => {
  const note = { what: 'file' as const, file: 'c', reason: 'no known format of results', count: 0 }
  expect(groupLeftOut([log('a'), { file: 'x#2', reason: 'no name', count: 3 }, log('b'), note])).toEqual([
    { what: 'file', reason: 'no known format of results', files: ['a', 'b'], count: 2 },
    { what: 'file', reason: 'no name', files: ['x#2'], count: 3 },
    { what: 'file', reason: 'no known format of results', files: ['c'], count: 0 },
  ])
})

test('a terminal names the first few of each reason and counts the rest', () => {
  const many = Array.from({ length: 1007 }, (_, index) => log(`log-${index}`))
  const run = { what: 'trial' as const, file: 'r.json', reason: 'no agent' }
  expect(describeLeftOut([...many, run, run, { ...run, file: 'n', reason: 'kept', count: 0 }])).toEqual([
    'Left out 1,007 files, 2 trials:',
    'Skipped log-0, log-1, log-2, log-3, log-4 and 1,002 more: no known format of results',
    'Skipped r.json: no agent',
    'About n: kept',
  ])
  expect(describeLeftOut([])).toEqual([])
})
