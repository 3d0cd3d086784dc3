import { expect, test } from 'vitest'

import { appendMarkdown, canonicalMarkdown } from './canonical-markdown.ts'

test.each([
  ['line ends of every system', 'a\r\nb\rc', 'a\nb\nc\n'],
  ['blank lines around and in runs', '\n \n# a\n\n\n \nb\n\n', '# a\n\nb\n'],
  ['one line end at the end', 'a', 'a\n'],
  ['nothing but blanks is nothing', ' \n\t\r\n', ''],
  ['spaces at line ends', 'a \nb\t\nc   \n\nd  ', 'a\nb\nc\n\nd\n'],
  ['the two spaces of a hard break stay, and are two', 'a    \nb', 'a  \nb\n'],
  ['a backslash before a space is no hard break', 'a\\ \nb', 'a\\ \nb\n'],
  ['control characters and byte order marks go', '\uFEFFa\u0007\u001B[31mb\u0085\n\uFEFF', 'a[31mb\n'],
  ['unicode stays as written', 'é e\u0301 日本 \u200F שלום 👩‍👩‍👧 \u00A0', 'é e\u0301 日本 \u200F שלום 👩‍👩‍👧 \u00A0\n'],
  ['code keeps its blanks', '```\na  \n\n\n b \n```  \n\n\nc', '```\na  \n\n\n b \n```\n\nc\n'],
  ['indented code keeps its blanks', 'x\n\n    a  \n\n\n    b', 'x\n\n    a  \n\n\n    b\n'],
  [
    'code in a list keeps its blanks',
    '1. x\n\n   ```\n   a  \n\n\n   ```\n\n\ny ',
    '1. x\n\n   ```\n   a  \n\n\n   ```\n\ny\n',
  ],
  ['code in a quote keeps its blanks', '> ```\n> a  \n> ```\n\n\nb ', '> ```\n> a  \n> ```\n\nb\n'],
  [
    'our blocks stay as written',
    '> [!NOTE]\n> [@Ann](assay://people/1)\n\n```insight\nref: a_b*c\n```',
    '> [!NOTE]\n> [@Ann](assay://people/1)\n\n```insight\nref: a_b*c\n```\n',
  ],
])('%s', (_, given, expected) => {
  expect(canonicalMarkdown(given)).toBe(expected)
})

test.each([
  ['exactly one blank line between', 'a\n\n\n', '\n\nb', 'a\n\nb\n'],
  ['onto nothing', '', 'b', 'b\n'],
  ['a code block left open is closed first', '~~~~\na', 'b', '~~~~\na\n~~~~\n\nb\n'],
  ['the text that was there stays', '```\na  \n```', '    code', '```\na  \n```\n\n    code\n'],
])('appending a block: %s', (_, body, block, expected) => {
  expect(appendMarkdown(body, block)).toBe(expected)
})

test.each([' ', '\t', '> ', '- ', '`', '[^', '<!--', '*'])(
  'canonical markdown of a megabyte of %j on one line is quick',
  (mark) => {
    const startedAt = performance.now()
    canonicalMarkdown(`a${mark.repeat(1_000_000 / mark.length)}b`)
    canonicalMarkdown(`${mark.repeat(1_000_000 / mark.length)}b`)
    expect(performance.now() - startedAt).toBeLessThan(1000)
  },
)
