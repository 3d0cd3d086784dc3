import { expect, test } from 'vitest'

import { clipMarkdown } from './clip-markdown.ts'

const clip = {
  title: 'Roman: heatmap',
  path: '/experiments/roman/results?view=heatmap',
  quote: 'a table',
  facts: ['v3'],
  clippedAt: '2026-11-22T10:00:00.000Z',
}

test('a figure keeps the path of its view, a saved insight is cited, and text is quoted', () => {
  expect(clipMarkdown(clip, true)).toBe(
    '```chart\npage: /experiments/roman/results?view=heatmap\ntitle: Roman: heatmap\nadded: 2026-11-22T10:00:00.000Z\n```',
  )
  expect(clipMarkdown({ ...clip, path: '/insights/pass-rate?x=1' }, true)).toBe(
    '```insight\nref: pass-rate\nadded: 2026-11-22T10:00:00.000Z\n```',
  )
  expect(clipMarkdown({ ...clip, path: '/insights/query?scope=organization#sql=SELECT%201' }, true)).toContain(
    'page: /insights/query?scope=organization#sql=SELECT%201',
  )
  expect(clipMarkdown(clip, false)).toMatch(/^> \[!CLIP\]\n.*a table/s)
})
