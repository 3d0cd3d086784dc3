import { expect, test } from 'vitest'

import { searchExtent } from './search-extent.ts'

const page = { searchedReports: 3, totalReports: 3, searchedRuns: 114, totalRuns: 114 }

test('a complete search says how much text it has read', () => {
  expect(searchExtent([page])).toBe('Searched the transcripts, test output and errors of 114 runs, and 3 reports.')
})

test('a search that has not read everything says how far it got, over all of its pages', () => {
  const later = { searchedReports: 0, totalReports: 0, searchedRuns: 80, totalRuns: 114 }
  expect(searchExtent([{ ...page, searchedRuns: 40, totalReports: 9 }, later])).toBe(
    'Searched the transcripts, test output and errors of the latest 80 of 114 runs, and the latest 3 of 9 reports.',
  )
})

test('one run and one report are named as such, and an organization without any says so', () => {
  const one = { searchedReports: 1, totalReports: 1, searchedRuns: 1, totalRuns: 1 }
  expect(searchExtent([one])).toBe('Searched the transcripts, test output and errors of 1 run, and 1 report.')
  const none = { searchedReports: 0, totalReports: 0, searchedRuns: 0, totalRuns: 0 }
  expect(searchExtent([none])).toBe('Searched the transcripts, test output and errors of 0 runs, and 0 reports.')
})
