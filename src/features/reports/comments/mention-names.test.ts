import { expect, test } from 'vitest'

import { typedName, withMentions, withoutMentions, writtenMention } from './mention-names.ts'

const people = [
  { id: 'p1', name: 'Ann' },
  { id: 'p2', name: 'Ann Lee' },
  { id: 'p3', name: 'R. (Bob) [x]' },
]

test('names after an @ become mentions, and are names again in the form', () => {
  const text = '@ann lee and @Ann, see mail@Ann or @Annette; @R. (Bob) [x]!'
  const markdown = withMentions(text, people)
  expect(markdown).toBe(
    String.raw`[@Ann Lee](assay://people/p2) and [@Ann](assay://people/p1), see mail@Ann or @Annette; [@R. (Bob) \[x\]](assay://people/p3)!`,
  )
  expect(withoutMentions(markdown, people)).toBe('@Ann Lee and @Ann, see mail@Ann or @Annette; @R. (Bob) [x]!')
  expect(withMentions(markdown, people)).toBe(markdown)
})

test('a name that two people have mentions only the one who was chosen', () => {
  const [first, second] = [
    { id: 'p7', name: 'Max' },
    { id: 'p8', name: 'max' },
  ]
  const all = [...people, first, second]
  expect(withMentions('@Max', all)).toBe('@Max')
  const chosen = writtenMention(first, all)
  expect(chosen).toBe('[@Max](assay://people/p7)')
  expect(withMentions(`${chosen} and @Ann`, all)).toBe(`${chosen} and [@Ann](assay://people/p1)`)
  expect(withoutMentions(`${chosen} and [@Ann](assay://people/p1)`, all)).toBe(`${chosen} and @Ann`)
  expect(writtenMention({ id: 'p2', name: 'Ann Lee' }, all)).toBe('@Ann Lee')
})

test('names in code and links mention nobody', () => {
  const literal = [
    '`@Ann`',
    '```ts\n@Ann\n```',
    'Text\n\n    @Ann',
    '[a](https://x.example/@Ann)',
    '[to @Ann](https://x.example)',
    '<https://x.example/@Ann>',
    'https://x.example/@Ann',
    '[a]\n\n[a]: /@Ann',
  ]
  for (const text of literal) expect(withMentions(text, people)).toBe(text)
  expect(withMentions('`code` @Ann <b>@Ann</b>', people)).toBe(
    '`code` [@Ann](assay://people/p1) <b>[@Ann](assay://people/p1)</b>',
  )
})

test('mentions stay links where their names would mention somebody else', () => {
  const markdown = '[@Ann](assay://people/p1) Lee'
  expect(withoutMentions(markdown, people)).toBe(markdown)
})

test('a mention of somebody who is no member stays a link', () => {
  const link = '[@Gone](assay://people/p9)'
  expect(withoutMentions(link, people)).toBe(link)
  expect(withMentions('@Ann', [])).toBe('@Ann')
})

test('a name is being typed from its @ on', () => {
  expect(typedName('Hi @An', 6)).toBe('An')
  expect(typedName('Hi @', 4)).toBe('')
  expect(typedName('mail@An', 7)).toBeUndefined()
  expect(typedName('Hi @An\nthere', 9)).toBeUndefined()
})
