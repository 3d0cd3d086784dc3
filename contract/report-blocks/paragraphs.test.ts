import { expect, test } from 'vitest'

import { anchorOf, findParagraph, moveAnchors, paragraphsOf } from './paragraphs.ts'

const join = (...paragraphs: string[]) => `${paragraphs.join('\n\n')}\n`

/** Where a comment on the paragraph with this text is after the edit. */
function afterEdit(before: string, after: string, text: string) {
  const paragraph = paragraphsOf(before).find((each) => each.text === text)
  if (!paragraph) throw new Error(`no such paragraph: ${text}`)
  const [moved] = moveAnchors(before, after, [anchorOf(paragraph)])
  if (moved) expect(after.slice(moved.position).startsWith(moved.quote)).toBe(true)
  return moved && { quote: moved.quote, index: paragraphsOf(after).findIndex(({ from }) => from === moved.position) }
}

test('blank lines separate paragraphs, except in fenced blocks', () => {
  const markdown = '# One\n\nTwo\nlines\n\n\n```ts\na\n\nb\n```\n\n> quote\n\n~~~\nopen\n\nend\n'
  const found = paragraphsOf(markdown)
  expect(found.map(({ text }) => text)).toEqual([
    '# One',
    'Two\nlines',
    '```ts\na\n\nb\n```',
    '> quote',
    '~~~\nopen\n\nend',
  ])
  for (const { from, to, text } of found) expect(markdown.slice(from, to)).toBe(text)
  expect(paragraphsOf('')).toEqual([])
})

test('a comment stays on its paragraph when others are added, removed or changed around it', () => {
  const before = join('Intro.', 'The result is clear.', 'End.')
  expect(afterEdit(before, join('New.', 'Intro, changed.', 'The result is clear.'), 'The result is clear.')).toEqual({
    quote: 'The result is clear.',
    index: 2,
  })
  expect(afterEdit(before, join('Intro.', 'The result is clear.', 'End.', 'More.'), 'End.')?.index).toBe(2)
  expect(afterEdit(before, join('More.', 'Intro.', 'The result is clear.', 'End.'), 'End.')?.index).toBe(3)
})

test('a comment follows a paragraph that is edited, split, merged or moved', () => {
  const text = 'The careful agent solves most tests of the suite.'
  const before = join('Intro.', text, 'End.')
  const edited = 'The careful agent solves nearly all tests of the whole suite.'
  expect(afterEdit(before, join('Intro.', edited, 'End.'), text)).toEqual({ quote: edited, index: 1 })
  expect(
    afterEdit(before, join('Intro.', 'The careful agent solves most', 'tests of the suite.', 'End.'), text)?.index,
  ).toBe(1)
  expect(afterEdit(before, join(`Intro. ${text}`, 'End.'), text)?.index).toBe(0)
  expect(afterEdit(before, join('Intro.', 'End.', text), text)).toEqual({ quote: text, index: 2 })
  expect(afterEdit(join('Teh'), join('The'), 'Teh')).toBeNull()
  expect(afterEdit(join('結果は明らかです'), join('結果は完全に明らかです'), '結果は明らかです')?.index).toBe(0)
})

test('a comment is on one of two equal paragraphs, and stays on that one', () => {
  const before = join('Same.', 'Between.', 'Same.')
  const [, , second] = paragraphsOf(before)
  if (!second) throw new Error('no second')
  const [moved] = moveAnchors(before, join('New.', 'Same.', 'Changed between.', 'Same.'), [anchorOf(second)])
  expect(moved?.position).toBe(join('New.', 'Same.', 'Changed between.').length + 1)
})

test('a comment on a deleted paragraph goes to no other, and returns with its paragraph', () => {
  const text = 'The careful agent solves most tests.'
  const [before, without] = [join('Intro.', text, 'End.'), join('Intro.', 'End.')]
  expect(afterEdit(before, without, text)).toBeNull()
  expect(afterEdit(before, join('Intro.', 'Something else entirely was written here.', 'End.'), text)).toBeNull()
  const lost = { quote: text, position: 8 }
  expect(moveAnchors(without, before, [lost])).toEqual([lost])
})

test('a long paragraph is found by its beginning, also when the quote would end inside a character', () => {
  const text = `${'a'.repeat(1999)}😀${'b'.repeat(5000)}`
  const anchor = anchorOf({ text, from: 0, to: text.length })
  expect(anchor.quote).toBe('a'.repeat(1999))
  expect(findParagraph(paragraphsOf(text), anchor)?.text).toBe(text)
})
