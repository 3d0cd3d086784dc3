import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { GroupShares } from './GroupShares.tsx'

const groupsOf = (...shares: [group: string, runs: number][]) =>
  shares.map(([group, runs]) => ({ group, runs, ofRuns: 5 }))

const textOf = (groups: ReturnType<typeof groupsOf>, groupCount: number) =>
  renderToStaticMarkup(
    <MantineProvider>
      <GroupShares groups={groups} groupCount={groupCount} ofWhich={(runs) => `${runs} runs`} />
    </MantineProvider>,
  )
    .replaceAll(/<style[^>]*>.*?<\/style>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

test.each([
  ['all', groupsOf(['a', 5], ['b', 5], ['c', 5]), 3, /^All 3 groups, every run$/],
  ['both', groupsOf(['a', 5], ['b', 5]), 2, /^Both groups, every run$/],
  ['few of them', groupsOf(['a', 5], ['b', 5], ['c', 1]), 9, /^a 5\/5 .*b 5\/5 .*c 1\/5/],
  [
    'most of them, and the ones that differ',
    groupsOf(['odd', 4], ['a', 5], ['b', 5], ['c', 5], ['d', 5], ['rare', 1], ['rarer', 1]),
    9,
    /^4 of 9 groups, every run odd 4\/5 .*rare 1\/5 .*1 more group$/,
  ],
])('where every run of %s has a failure, one line says so', (_, groups, groupCount, expected) => {
  expect(textOf(groups, groupCount)).toMatch(expected)
})
