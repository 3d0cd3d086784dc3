import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { LinkContext } from '#src/ui/LinkContext.ts'
import { ReportMarkdown } from './ReportMarkdown.tsx'

const html = (text: string) =>
  renderToStaticMarkup(
    <LinkContext value={{ Link: ({ href, children }) => <a href={href}>{children}</a>, open: () => {} }}>
      <ReportMarkdown
        mentionHref={({ kind, id }) => (kind === 'run' ? `/runs/${id}` : undefined)}
        renderBlock={({ language, text }) => (language === 'insight' ? <figure>{text}</figure> : undefined)}
      >
        {text}
      </ReportMarkdown>
    </LinkContext>,
  )

test('a quote that starts with a callout kind is a callout, and any other quote stays a quote', () => {
  expect(html('> [!NOTE]\n> Mind **this**')).toMatch(
    /<blockquote data-callout="note"><strong[^>]*>note<\/strong>\s*<p>Mind <strong>this<\/strong><\/p>/,
  )
  expect(html('> [!TIP]\n>\n> - a')).toMatch(/<blockquote data-callout="tip">.*<li>a<\/li>/s)
  for (const quote of ['> [!OTHER]\n> a', '> [!NOTE] a', '> a [!NOTE]', '> [!NOTE](https://x.example)']) {
    expect(html(quote)).not.toContain('data-callout')
  }
})

test('an insight block is passed to the page, and the same text in other code stays code', () => {
  expect(html('```insight\nref: a\n```')).toContain('<figure>ref: a\n</figure>')
  expect(html('````text\n```insight\nref: a\n```\n````')).not.toContain('<figure>')
})

test('a mention without a valid target is plain text', () => {
  expect(html('[@Ann](assay://people/1)')).toMatch(/<span class="[^"]*">@Ann<\/span>/)
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '&#106;avascript:alert(1)',
  'data:text/html,x',
  '//evil.example',
  'assay://secrets/key',
  'assay:alert(1)',
])('a link to %s in a report has no target', (url) => {
  expect(html(`[x](<${url}>)\n\n![x](<${url}>)`)).not.toMatch(/href=/)
})

test('an image inside a mention is plain text', () => {
  expect(html('![x](assay://runs/1)')).toContain('<span>Image: x</span>')
})

test('a path within the app stays a path, whatever characters it contains', () => {
  expect(html('[x](/reports?new=1)')).toContain('<a href="/reports?new=1">x</a>')
  expect(html('[x](</\\evil.example>) [x](</\t/evil.example>)')).not.toMatch(/href="(\/\\|\/\t|\/\/)/)
})

test('HTML tags stay text, also in callouts and titles', () => {
  const shown = html(
    '> [!NOTE]\n> <script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n[a](https://x.example "\\"><b>")',
  )
  expect(shown).not.toMatch(/<(script|img|b)\b/)
})

test('an unclosed comment or tag does not hide the text after it', () => {
  for (const open of ['<!-- later', '<script>', '<?php', '<![CDATA[', '<!DOCTYPE', '<pre>']) {
    const shown = html(`Text.\n\n${open}\n\n> [!CLIP]\n> [Run](/runs/1)\n\n\`\`\`insight\nref: a\n\`\`\``)
    expect(shown).toContain('data-callout="clip"')
    expect(shown).toContain('<figure>ref: a')
  }
})

test('an insight block has its position in the text', () => {
  const places: unknown[] = []
  renderToStaticMarkup(
    <ReportMarkdown
      mentionHref={() => undefined}
      renderBlock={({ text, place }) => {
        places.push([text, place])
        return null
      }}
    >
      {'ab\n\n> ```insight\n> ref: a\n> ```\n'}
    </ReportMarkdown>,
  )
  expect(places).toEqual([['ref: a\n', { from: 6, to: 31 }]])
})
