import { expect, test } from 'vitest'

import { diffBlocks } from './diff-blocks.ts'

const marks = { same: '', removed: '-', added: '+' }

const shown = (before: string, after: string) =>
  diffBlocks(before, after).map(({ pieces, figure }) =>
    figure
      ? [figure.kind, figure.title, ...figure.removed, ...figure.added]
      : pieces.flatMap(({ kind, text }) => (text.trim() ? [marks[kind] + text.trim()] : [])),
  )

test('a paragraph shows the words that changed, and others show none', () => {
  expect(shown('Intro.\n\nThe careful agent wins.\n', 'Intro.\n\nThe hasty agent wins.\n')).toEqual([
    ['Intro.'],
    ['The', '-careful', '+hasty', 'agent wins.'],
  ])
})

test('added and removed paragraphs are blocks of their own', () => {
  expect(shown('One.\n\nTwo.\n\nThree.\n', 'One.\n\nThree.\n\nFour.\n')).toEqual([
    ['One.'],
    ['-Two.'],
    ['Three.'],
    ['+Four.'],
  ])
})

const chart = (view: string, title: string) =>
  `\`\`\`chart\npage: /experiments/a/results?view=${view}\ntitle: ${title}\n\`\`\`\n`

test('a figure that changed is shown by its title and the lines that differ', () => {
  expect(shown(`Intro.\n\n${chart('heatmap', 'By agent')}`, `Intro.\n\n${chart('metric', 'By agent')}`)).toEqual([
    ['Intro.'],
    ['changed', 'By agent', 'page: /experiments/a/results?view=heatmap', 'page: /experiments/a/results?view=metric'],
  ])
})

test('a figure can be added and removed', () => {
  const [first] = shown('', chart('metric', 'New'))
  expect(first?.slice(0, 2)).toEqual(['added', 'New'])
  const [removed] = shown(chart('metric', 'Old'), '')
  expect(removed?.slice(0, 2)).toEqual(['removed', 'Old'])
})

test('blank lines in code do not split it', () => {
  const code = (word: string) => `\`\`\`\none\n\n${word}\n\`\`\`\n\nEnd.\n`
  expect(diffBlocks(code('two'), code('three'))).toHaveLength(2)
})

test('the pieces of a diff give both texts', () => {
  const [before, after] = ['a b\n\nc d\n\n\ne', 'a x\n\n\nd\n\ne f']
  const join = (left: string) =>
    diffBlocks(before, after)
      .flatMap(({ pieces }) => pieces)
      .flatMap(({ kind, text }) => (kind === left ? [] : [text]))
      .join('')
  expect([join('added'), join('removed')].map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
    'a b c d e',
    'a x d e f',
  ])
})
