import { expect, test } from 'vitest'

import { paragraphsOf } from '#contract/report-blocks/paragraphs.ts'
import { placeAt, placePeople } from './place-people.ts'

const ann = { id: 'a', name: 'Ann' }
const paragraphs = paragraphsOf('One.\n\nSame.\n\nTwo is longer.\n\nSame.\n')
const offsetOf = (where: { quote?: string; position?: number }) =>
  placePeople([{ person: ann, ...where }], paragraphs)[0]?.place?.from ?? null

test('somebody is at the nearest paragraph that starts like theirs', () => {
  expect(offsetOf({ quote: 'Two is', position: 0 })).toBe(13)
  expect(offsetOf({ quote: 'Same.', position: 25 })).toBe(29)
  expect(offsetOf({ quote: 'Same.', position: 8 })).toBe(6)
})

test('a paragraph that they are changing is found by its position, and a reader is nowhere', () => {
  expect(offsetOf({ quote: 'Two is being typed', position: 14 })).toBe(13)
  expect(offsetOf({ position: 500 })).toBe(29)
  expect(offsetOf({})).toBeNull()
})

test('others see the paragraph of the cursor, without half a character', () => {
  const text = `Intro.\n\n${'a'.repeat(199)}😀 and more\n`
  expect(placeAt(text, 20)).toEqual({ quote: 'a'.repeat(199), position: 8 })
  expect(placeAt(text, null)).toEqual({})
})
