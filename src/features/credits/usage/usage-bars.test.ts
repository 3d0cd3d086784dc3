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
  rows: [{ ...cost, key: 'opus', label: 'opus', previous: null }],
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
    words: expect.stringMatching(/Others: .*The table lists each of them$/),
  })
})
