import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { canonicalMarkdown } from '#contract/markdown/canonical-markdown.ts'
import { type ChartBlock, formatChartBlock, parseChartBlock, toPagePath } from './chart-blocks.ts'

const inside = (block: string) => block.split('\n').slice(1, -1).join('\n')

const whole: ChartBlock = {
  page: '/experiments/roman/results?view=heatmap&group_by=agent',
  title: 'Roman numerals',
  caption: 'Both agents fail on MCMXC.',
  size: 'medium',
  align: 'center',
  added: '2026-11-22T10:00:00Z',
}

test('a chart block is parsed back unchanged, and its defaults are left out', () => {
  expect(parseChartBlock(inside(formatChartBlock(whole)))).toEqual({ block: whole })
  const plain: ChartBlock = { page: '/runs/a?turn=1', size: 'full', align: 'left' }
  expect(formatChartBlock(plain)).toBe('```chart\npage: /runs/a?turn=1\n```')
  expect(parseChartBlock('page: /runs/a?turn=1')).toEqual({ block: plain })
})

test.each([
  ['no page', 'title: a'],
  ['a page of another host', 'page: https://evil.example/'],
  ['a page that starts with two slashes', 'page: //evil.example/'],
  ['a page that starts with a slash and a backslash', String.raw`page: /\evil.example/`],
  ['a script as its page', 'page: javascript:alert(1)'],
  ['an unknown size', 'page: /a\nsize: huge'],
  ['a line without a name', 'page: /a\nnothing'],
])('a chart block with %s has a readable problem message', (_, text) => {
  expect(parseChartBlock(text)).toEqual({ problem: expect.stringMatching(/\w/) })
})

test('no title, caption or path ends the block early, and the stored form is the written one', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (title, caption, query) => {
      const block = formatChartBlock({ ...whole, title, caption, page: toPagePath(`/a?${query}`) })
      const lines = canonicalMarkdown(`${block}\n\nAfter.`).split('\n')
      expect(lines.filter((line) => /^ {0,3}```/.test(line))).toEqual(['```chart', '```'])
      expect(lines.slice(-3)).toEqual(['', 'After.', ''])
    }),
  )
})
