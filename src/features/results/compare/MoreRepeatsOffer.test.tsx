import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { compareGroups } from '#statistics/compare-groups.ts'
import { MoreRepeatsOffer } from './MoreRepeatsOffer.tsx'

const runs = (...values: number[]) => values.map((value) => ({ cell: 'a', prompt: 'a', value }))

const offer = (left: readonly number[], right: readonly number[]) =>
  renderToStaticMarkup(
    <MoreRepeatsOffer
      experimentId="e"
      comparison={compareGroups(runs(...left), runs(...right))}
      sides={{ left: [], right: [], matchedBy: ['prompt'], alsoDiffer: [] }}
      labels={{ left: 'careful', right: 'hasty' }}
    />,
  )

test('where repeats have not differed, the offer names the number that the leaderboard names', () => {
  expect(offer([1, 1], [0, 0])).toContain(
    'Repeats have not differed so far. If that stays so, 4 runs per prompt would show a difference.',
  )
})

test('where no difference was observed, the offer says that more runs do not help', () => {
  expect(offer([0, 1, 0, 1], [0, 1, 0, 1])).toContain(
    'No difference observed. If that stays so, more runs show none either, but they lower how large it may be.',
  )
})
