import { expect, test } from 'vitest'

import { recordResults } from './record-results.ts'

const names = ['run-list', 'start', 'proxy']
const start = {
  name: 'start',
  load: 0.24,
  measurements: [
    { what: 'warm | cold', unit: 'ms' as const, ours: 1500, floor: 1000, target: { atMost: 1000 } },
    { what: 'plain', unit: 'ms' as const, ours: 3 },
  ],
}

test('a recorded benchmark says when, how busy the machine was, and which target it missed', () => {
  const text = recordResults('', [start], names, '2026-11-23')
  expect(text).toContain('## start\n\nMeasured 2026-11-23 on ')
  expect(text).toContain('; load before: 0.2.\n')
  expect(text).toContain('| warm \\| cold | 1500 ms | 1000 ms | 1.5 × | ≤ 1000 ms **(missed)** |')
  expect(text).toContain('| plain | 3 ms |  |  |  |')
})

test('sections that were not measured again stay, in order, and those of old benchmarks go', () => {
  const proxy = { name: 'proxy', load: 0, measurements: [] }
  const gone = { name: 'gone', load: 0, measurements: [] }
  const first = recordResults('', [proxy, gone, start], [...names, 'gone'], '2026-01-01')
  const second = recordResults(first, [{ ...start, measurements: [] }], names, '2026-11-23')
  expect(second.match(/^## \S+|Measured \S+/gm)).toEqual([
    '## start',
    'Measured 2026-11-23',
    '## proxy',
    'Measured 2026-01-01',
  ])
})

test('a section keeps what a reader must know besides its numbers, however often it is measured', () => {
  const eventLoop = { name: 'event-loop', load: 0, measurements: [] }
  const first = recordResults('', [eventLoop], ['event-loop'], '2026-01-01')
  const second = recordResults(first, [eventLoop], ['event-loop'], '2026-11-29')
  expect(second.match(/A vacuum of a table is one statement/g)).toHaveLength(1)
})
