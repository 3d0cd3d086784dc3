import { expect, test } from 'vitest'

import { spreadLabels } from './spread-labels.ts'

const room = { gap: 10, low: 0, high: 100 }

test('labels that would cover each other move apart and keep their order', () => {
  expect(spreadLabels([50, 50, 20], room)).toEqual([50, 60, 20])
  expect(spreadLabels([99, 98, null, 97], room)).toEqual([100, 90, null, 80])
})
