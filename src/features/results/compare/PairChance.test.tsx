import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { compareGroups } from '#statistics/compare-groups.ts'
import { chanceSentence, PairChance } from './PairChance.tsx'

test('a pair that is clear alone and may be chance among all pairs says both', () => {
  expect(chanceSentence(0.003, 0.101, 36)).toBe(
    'If you chose this pair before you saw the results, the difference is more than chance (p 0.003). If you picked it out of 36 pairs, it may be chance (corrected p 0.101).',
  )
})

test('the p-value that answers the question comes first', () => {
  const comparison = { ...compareGroups([], [], { scope: null }), pValue: 0.003 }
  const corrected = { left: 'a', right: 'b', comparison, correctedP: 0.101 }
  const correction = { pairCount: 36, isTooMany: false, pairs: [corrected], error: null, retry: () => {} }
  const markup = (among: 'these two' | 'all pairs') =>
    renderToStaticMarkup(<PairChance {...{ comparison, corrected, correction, among }} />)
  expect(markup('these two')).toMatch(/0\.003.*0\.101/)
  expect(markup('all pairs')).toMatch(/0\.101.*0\.003/)
})

test('a figure waits for the p-value that is corrected over all pairs', () => {
  const comparison = { ...compareGroups([], [], { scope: null }), pValue: 0.003 }
  const markup = (error: Error | null) => {
    const correction = { pairCount: 36, isTooMany: false, pairs: undefined, error, retry: () => {} }
    return renderToStaticMarkup(<PairChance {...{ comparison, corrected: undefined, correction }} among="all pairs" />)
  }
  expect(markup(null)).toContain('aria-busy="true"')
  expect(markup(new Error('stopped'))).not.toContain('aria-busy="true"')
})
