import * as fc from 'fast-check'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { expect, test } from 'vitest'

import { expectLinear } from '#tools/processor-time.ts'
import { appendMarkdown, canonicalMarkdown } from '#contract/markdown/canonical-markdown.ts'
import { atLength } from '#tools/test-length.ts'

const pieces =
  '\n|\n\n|\n\n\n| |  |   |    |\t|a|word|* |- |+ |1. |2) |> |#|# |```|````|~~~|```js|`|``|<|<div>|</div>|<!--|-->|<pre>|<?|<x@y.zz>|[^1]: |[^1]|[a]: /b|"t"|[a](b)|![|]|\\|  \n| \n|\\\n|***|---|===|_|**|~~|&amp;|http://a.b|[ ] |[!NOTE]|assay://runs/x|\r\n|\r|日本|\u00A0|\u2028|👩‍👧'
    .split('|')
    .concat('|', '\n|-|-|\n')

const lineLike = fc
  .tuple(
    fc.constantFrom(
      '',
      '',
      '',
      ' ',
      '  ',
      '   ',
      '    ',
      '\t',
      '> ',
      '>',
      '- ',
      '-   ',
      '1. ',
      '10. ',
      '  - ',
      '> - ',
      '[^1]: ',
    ),
    fc.constantFrom(
      '',
      'a',
      'b c',
      '```',
      '~~~',
      '````',
      '```js',
      '<div>',
      '<!-- c -->',
      '<!--',
      '# h',
      '| a | b |',
      '|-|-|',
      '- x',
      'a\\',
    ),
    fc.constantFrom('', '', '', ' ', '  ', '   ', '\t', ' \t', '\\ '),
  )
  .map((parts) => parts.join(''))

const hostile = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join('')),
  fc.array(lineLike, { maxLength: 14 }).map((lines) => lines.join('\n')),
  fc.string({ unit: 'binary', maxLength: 60 }),
)

/** The test uses the same cases every time unless these variables are set. */
const { PROPERTY_RUNS = atLength('1000', '4000'), PROPERTY_SEED = '1' } = process.env
const runs = { numRuns: Number(PROPERTY_RUNS), seed: Number(PROPERTY_SEED) }

/**
 * Ignores blanks outside code and at the very end, in HTML as in markdown: micromark counts a line of spaces after
 * indented code as code, while CommonMark does not.
 */
function rendered(markdown: string) {
  const html = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true })
  return html
    .replaceAll(/\r\n?/g, '\n')
    .split(/(<pre>.*?<\/pre>)/s)
    .map((part) => (part.startsWith('<pre>') ? part.replace(/\s+<\/code>/, '</code>') : part.replaceAll(/\s+/g, ' ')))
    .join('')
    .replaceAll(/ ?(<\/?(?:p|li|h\d|td|th|blockquote|ul|ol|br)\b[^>]*>) ?/g, '$1')
    .replace(/\s*(<\/code><\/pre>)?(<\/[a-z]+>|\s)*$/, '')
    .trimEnd()
}

test('canonical markdown is its own canonical form', () => {
  fc.assert(
    fc.property(hostile, (markdown) => {
      const once = canonicalMarkdown(markdown)
      expect(canonicalMarkdown(once)).toBe(once)
    }),
    runs,
  )
})

test('canonical markdown renders like the original text', () => {
  fc.assert(
    fc.property(hostile, (written) => {
      const markdown = written.replaceAll(/(?![\t\n\r])\p{Cc}|\uFEFF/gu, '')
      expect(rendered(canonicalMarkdown(markdown))).toBe(rendered(markdown))
    }),
    runs,
  )
})

test('an appended body starts with the whole old body and ends with the whole block', () => {
  fc.assert(
    fc.property(hostile, hostile, (body, block) => {
      const joined = appendMarkdown(body, block)
      expect(joined.startsWith(canonicalMarkdown(body))).toBe(true)
      expect(joined.endsWith(canonicalMarkdown(block))).toBe(true)
      expect(canonicalMarkdown(joined)).toBe(joined)
    }),
    runs,
  )
})

test.each(['[', '>', '- ', '`', '```\n', '   ```\n', '<!--', '* a _b ', '[^1]: ', ' \t', '1. '])(
  'canonical markdown of a megabyte of %j takes time that grows with its length',
  async (piece) => {
    await expectLinear((size) => canonicalMarkdown(piece.repeat(size / piece.length)), 1_000_000)
  },
)
