import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { compareGroups } from '#statistics/compare-groups.ts'
import { chanceSentence, PairChance } from './PairChance.tsx'

test('a pair whose interval excludes zero says why it is inconclusive among several groups', () => {
  expect(chanceSentence(0.101, 9)).toBe(
    'The interval is about this pair alone. Among 9 groups, such a difference may be chance (corrected p 0.101).',
  )
  expect(chanceSentence(null, 70)).toBe(
    'The interval is about this pair alone. 70 groups are too many to tell whether the difference is more than chance.',
  )
})

const comparison = { ...compareGroups([], [], { scope: null }), pValue: 0.003 }
const corrected = { left: 'a', right: 'b', comparison, correctedP: 0.101 }

test('the p-value that accounts for all groups comes first, and two groups have only one', () => {
  const markup = (groups: number) => {
    const correction = { groups, isTooMany: false, pairs: [corrected], error: null, retry: () => {} }
    return renderToStaticMarkup(<PairChance {...{ comparison, corrected, correction }} />)
  }
  expect(markup(9)).toMatch(/0\.101.*0\.003/)
  expect(markup(2)).toContain('0.003')
  expect(markup(2)).not.toContain('0.101')
})

test('a figure waits for the p-value that accounts for all groups', () => {
  const markup = (error: Error | null) => {
    const correction = { groups: 9, isTooMany: false, pairs: undefined, error, retry: () => {} }
    return renderToStaticMarkup(<PairChance {...{ comparison, corrected: undefined, correction }} />)
  }
  expect(markup(null)).toContain('aria-busy="true"')
  expect(markup(new Error('stopped'))).not.toContain('aria-busy="true"')
})
