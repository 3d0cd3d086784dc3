import { describe, expect, test } from 'vitest'

import { formatCallout } from '#contract/report-blocks/callouts.ts'
import { formatInsightBlock, type InsightBlock } from '#contract/report-blocks/insight-blocks.ts'
import { replaceBlock } from './replace-block.ts'

const written = formatInsightBlock({ ref: 'pass-rate', title: 'Pass rate' })
const inside = written.split('\n').slice(1, -1).join('\n')

describe('replacing a block', () => {
  const other: InsightBlock = { ref: 'other' }
  const replace = (body: string, place: { from: number; to: number }) => {
    const hunk = replaceBlock(body, { language: 'insight', text: inside, place }, formatInsightBlock(other))
    return hunk && body.slice(0, hunk.from) + hunk.insert + body.slice(hunk.to)
  }

  test('replacing a block in prose, a quote or a list keeps the surrounding lines', () => {
    const plain = `a\n\n${written}\n\nb\n`
    const at = plain.indexOf('```')
    expect(replace(plain, { from: at, to: at + written.length })).toBe(`a\n\n${formatInsightBlock(other)}\n\nb\n`)
    const quoted = formatCallout('note', written)
    const start = quoted.indexOf('```')
    expect(replace(quoted, { from: start, to: quoted.length })).toBe(formatCallout('note', formatInsightBlock(other)))
    const listed = `- ${written.replaceAll('\n', '\n  ')}`
    expect(replace(listed, { from: 2, to: listed.length })).toBe(
      `- ${formatInsightBlock(other).replaceAll('\n', '\n  ')}`,
    )
  })

  test('a block that changed in the meantime is not replaced', () => {
    expect(replace(`x${written}`, { from: 0, to: written.length })).toBeUndefined()
    const edited = written.replace('Pass rate', 'Fail rate')
    expect(replace(edited, { from: 0, to: edited.length })).toBeUndefined()
  })

  test('a block of another language with the same text is not replaced', () => {
    const place = { from: 0, to: written.length }
    expect(replaceBlock(written, { language: 'chart', text: inside, place }, 'x')).toBeUndefined()
  })
})
