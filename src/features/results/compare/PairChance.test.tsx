import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { compareGroups } from '#statistics/compare-groups.ts'
import { chanceSentence, PairChance } from './PairChance.tsx'

test('a pair that is clear alone and may be chance among all pairs says both', () => {
  expect(chanceSentence(0.003, 0.101, 36)).toBe(
    'More than chance between these two (p 0.003); among all 36 pairs it could be chance (corrected p 0.101).',
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
