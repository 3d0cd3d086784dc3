import { expect, test } from 'vitest'

import { typedName, withMentions, withoutMentions } from './mention-names.ts'

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
