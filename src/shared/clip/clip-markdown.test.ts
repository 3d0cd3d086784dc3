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
  expect(clipMarkdown(clip, 'figure')).toBe(
    '```chart\npage: /experiments/roman/results?view=heatmap\ntitle: Roman: heatmap\nadded: 2026-11-22T10:00:00.000Z\n```',
  )
  expect(clipMarkdown({ ...clip, path: '/insights/pass-rate?x=1' }, 'figure')).toBe(
    '```insight\nref: pass-rate\nadded: 2026-11-22T10:00:00.000Z\n```',
  )
  expect(clipMarkdown({ ...clip, path: '/insights/query?scope=organization#sql=SELECT%201' }, 'figure')).toContain(
    'page: /insights/query?scope=organization#sql=SELECT%201',
  )
  expect(clipMarkdown(clip, 'pinned', '019a1f2c-8f60-7000-8000-0000000000b1')).toContain(
    'pinned: 019a1f2c-8f60-7000-8000-0000000000b1\n',
  )
  expect(clipMarkdown(clip, 'text')).toMatch(/^> \[!CLIP\]\n.*a table/s)
})
