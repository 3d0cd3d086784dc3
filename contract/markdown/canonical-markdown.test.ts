import { expect, test } from 'vitest'

import { expectLinear } from '#tools/processor-time.ts'
import { appendMarkdown, canonicalMarkdown } from './canonical-markdown.ts'

test.each([
  ['line breaks of every system become line feeds', 'a\r\nb\rc', 'a\nb\nc\n'],
  ['blank lines at both ends are removed, and several in a row become one', '\n \n# a\n\n\n \nb\n\n', '# a\n\nb\n'],
  ['a body ends with one line break', 'a', 'a\n'],
  ['a body of only blanks becomes empty', ' \n\t\r\n', ''],
  ['spaces at line ends are removed', 'a \nb\t\nc   \n\nd  ', 'a\nb\nc\n\nd\n'],
  ['a hard break keeps exactly two spaces', 'a    \nb', 'a  \nb\n'],
  ['a backslash before a space is not a hard break', 'a\\ \nb', 'a\\ \nb\n'],
  ['control characters and byte order marks are removed', '\uFEFFa\u0007\u001B[31mb\u0085\n\uFEFF', 'a[31mb\n'],
  ['Unicode text stays as written', 'é e\u0301 日本 \u200F שלום 👩‍👩‍👧 \u00A0', 'é e\u0301 日本 \u200F שלום 👩‍👩‍👧 \u00A0\n'],
  ['code keeps its blanks', '```\na  \n\n\n b \n```  \n\n\nc', '```\na  \n\n\n b \n```\n\nc\n'],
  ['indented code keeps its blanks', 'x\n\n    a  \n\n\n    b', 'x\n\n    a  \n\n\n    b\n'],
  [
    'code in a list keeps its blanks',
    '1. x\n\n   ```\n   a  \n\n\n   ```\n\n\ny ',
    '1. x\n\n   ```\n   a  \n\n\n   ```\n\ny\n',
  ],
  ['code in a quote keeps its blanks', '> ```\n> a  \n> ```\n\n\nb ', '> ```\n> a  \n> ```\n\nb\n'],
  [
    'insight blocks and callouts stay as written',
    '> [!NOTE]\n> [@Ann](assay://people/1)\n\n```insight\nref: a_b*c\n```',
    '> [!NOTE]\n> [@Ann](assay://people/1)\n\n```insight\nref: a_b*c\n```\n',
  ],
])('canonical markdown: %s', (_, given, expected) => {
  expect(canonicalMarkdown(given)).toBe(expected)
})

test.each([
  ['there is exactly one blank line between', 'a\n\n\n', '\n\nb', 'a\n\nb\n'],
  ['an empty body becomes the block', '', 'b', 'b\n'],
  ['an unclosed code block is closed first', '~~~~\na', 'b', '~~~~\na\n~~~~\n\nb\n'],
  ['the existing text stays', '```\na  \n```', '    code', '```\na  \n```\n\n    code\n'],
])('appending a block: %s', (_, body, block, expected) => {
  expect(appendMarkdown(body, block)).toBe(expected)
})

test.each([' ', '\t', '> ', '- ', '`', '[^', '<!--', '*'])(
  'canonical markdown of a megabyte of %j on one line takes time that grows with its length',
  async (mark) => {
    for (const before of ['a', ''])
      await expectLinear((size) => canonicalMarkdown(`${before}${mark.repeat(size / mark.length)}b`), 1_000_000)
  },
)
