import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { SignatureText } from './SignatureText.tsx'

const example = { id: 'r', runId: 'r', runUuid: 'u', testName: 'totals', turn: null, text: '6 !== 4' }
const signature = { signature: '‹n› !== ‹n›', message: '6 !== 4', kind: 'message', example } as const

const textOf = (more: { testNames: string[]; testCount: number }) =>
  renderToStaticMarkup(<SignatureText signature={{ ...signature, ...more }} />).replaceAll(/<[^>]+>/g, ' ')

test('a message is beside the test that printed it, not beside the first by name', () => {
  expect(textOf({ testNames: ['adds', 'totals'], testCount: 4 })).toMatch(/6 !== 4.*totals and 3 more tests/)
  expect(textOf({ testNames: ['totals'], testCount: 1 })).toMatch(/totals +$/)
})
