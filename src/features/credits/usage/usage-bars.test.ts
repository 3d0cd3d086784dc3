import { expect, test } from 'vitest'

import type { Usage } from '#contract/usage.ts'
import { usageBars } from './usage-bars.ts'

const cost = { runs: 2, creditMicros: '1000000', ownKeyMicros: '0', inputTokens: 0, cachedTokens: 0, outputTokens: 0 }
const [from, until] = ['2026-11-22T00:00:00.000000Z', '2026-11-23T00:00:00.000000Z']
const usage: Usage = {
  from,
  until,
  previousFrom: '2026-11-21T00:00:00.000000Z',
  timeZone: 'UTC',
  groupBy: 'model',
  userId: null,
  totals: cost,
  previous: cost,
  intervalUnit: 'day',
  intervals: [{ from, until }],
  rows: ['opus', 'gpt', 'gemini'].map((key) => ({ ...cost, key, label: key, previous: null })),
  rest: null,
  segments: [
    { ...cost, interval: 0, key: 'opus' },
    { ...cost, interval: 0, key: null },
  ],
}

test('a part of a bar leads to its runs; the part for others, which no filter selects, leads nowhere and says so', () => {
  const [own, others] = usageBars(usage, 'all').bars[0]?.parts ?? []
  expect(own?.href).toContain('model=opus')
  expect(others).toMatchObject({
    href: undefined,
    words: expect.stringMatching(/2 other models: .*The table lists each of them$/),
  })
})

test('the part for others is named by what it sums, and a bar is as high as its parts together', () => {
  const { series, bars } = usageBars(usage, 'all')
  expect(series.map(({ label }) => label)).toEqual(['opus', '2 other models'])
  expect(bars[0]?.parts.reduce((sum, { value }) => sum + value, 0)).toBe(2)
  expect(bars[0]?.words).toContain('$2.00, 4 runs')
  const people = { ...usage, groupBy: 'person', rest: cost } as const
  expect(usageBars(people, 'all').series.at(-1)?.label).toBe('All other people')
})
