import { beginningOf, findParagraph, type Paragraph, paragraphsOf } from '#contract/report-blocks/paragraphs.ts'
import type { PersonHere } from '#contract/report-presence.ts'
import { limits } from '#contract/wire/limit.ts'

/** `place` is the paragraph of the shown text; null for someone who is reading. */
export type PlacedPerson = { person: PersonHere['person']; place: Paragraph | null }

/** Finds where others are. A paragraph that they are changing is found by its position. */
export const placePeople = (people: readonly PersonHere[], paragraphs: readonly Paragraph[]): PlacedPerson[] =>
  people.map(({ person, quote, position }) => ({
    person,
    place:
      position === undefined
        ? null
        : ((quote === undefined ? null : startsLike(paragraphs, quote, position)) ??
          paragraphs.findLast(({ from }) => from <= position) ??
          null),
  }))

function startsLike(paragraphs: readonly Paragraph[], quote: string, position: number) {
  const same = paragraphs.filter(({ text }) => text.startsWith(quote))
  return findParagraph(
    same.map((paragraph) => ({ ...paragraph, text: quote })),
    { quote, position },
  )
}

/** The paragraph of the cursor, as others see it. */
export function placeAt(text: string, cursor: number | null) {
  const paragraph = cursor === null ? undefined : paragraphsOf(text).findLast(({ from }) => from <= cursor)
  return paragraph ? { quote: beginningOf(paragraph.text, limits.presenceQuote), position: paragraph.from } : {}
}
