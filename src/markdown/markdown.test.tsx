import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { looksLikeMarkdown } from './looks-like-markdown.ts'
import { Markdown } from './Markdown.tsx'

const html = (text: string) => renderToStaticMarkup(<Markdown>{text}</Markdown>)

test('HTML tags in the text stay text', () => {
  const shown = html('before <script>alert(1)</script> <img src=x onerror=alert(1)>\n\n<iframe src="//evil"></iframe>')
  expect(shown).not.toMatch(/<(script|img|iframe)/)
  expect(shown).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(shown).toContain('&lt;iframe')
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '&#106;avascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  '//evil.example/x',
  '/runs',
])('a link to %s has no target', (url) => {
  expect(html(`[click](${url})`)).toContain('<span>click</span>')
})

test('a link opens in a new tab and hides the page it came from', () => {
  expect(html('[docs](https://example.com/a?b=1)')).toContain(
    '<a href="https://example.com/a?b=1" target="_blank" rel="noopener noreferrer nofollow">docs</a>',
  )
})

test('an image becomes a link, so that reading loads nothing', () => {
  const shown = html('![a chart](https://example.com/spy.png) ![x](data:image/png;base64,AA==)')
  expect(shown).not.toContain('<img')
  expect(shown).toContain('href="https://example.com/spy.png"')
  expect(shown).toContain('Image: a chart')
  expect(shown).not.toContain('data:')
})

test('footnotes of two texts on one page do not share their ids', () => {
  const both = renderToStaticMarkup(
    <>
      <Markdown>{'a[^1]\n\n[^1]: one'}</Markdown>
      <Markdown>{'b[^1]\n\n[^1]: two'}</Markdown>
    </>,
  )
  const ids = [...both.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(ids.length).toBe(4)
  expect(new Set(ids).size).toBe(ids.length)
})

test('lists, tables, code and strikethrough render as on GitHub', () => {
  const shown = html('- a\n- [x] b\n\n|a|b|\n|-|-|\n|1|2|\n\n```js\nx < 1\n```\n\n~~gone~~')
  for (const part of ['<li>a</li>', 'checked=""', '<td>1</td>', 'x &lt; 1', '<del>gone</del>']) {
    expect(shown).toContain(part)
  }
})

test('headings get a lower level than those of the page, and leave no level out', () => {
  expect(html('# a\n\n## b\n\n### c')).toMatch(/<h3>a<\/h3>\s*<h4>b<\/h4>\s*<h5>c<\/h5>/)
  expect(html('## a\n\n#### b\n\n### c\n\n###### d\n\n# e')).toMatch(
    /<h3>a<\/h3>\s*<h4>b<\/h4>\s*<h4>c<\/h4>\s*<h5>d<\/h5>\s*<h3>e<\/h3>/,
  )
})

test('text that rendering would not change does not count as markdown', () => {
  for (const plain of [
    'Done: roman.mjs adds up the letters.',
    'One line\nand another.',
    'مرحبا 日本 🎉',
    'Question 1',
  ]) {
    expect(looksLikeMarkdown(plain)).toBe(false)
  }
  for (const marked of ['**bold**', '# A', '- a', '1. a', '> a', '`x`', 'a\n\nb', 'https://example.com', '    code']) {
    expect(looksLikeMarkdown(marked)).toBe(true)
  }
})
