import { parse, postprocess, preprocess } from 'micromark'
import { gfm } from 'micromark-extension-gfm'

import { formatMention, mentionedPeople, parseMentionUrl } from '#contract/report-blocks/mentions.ts'

type Person = { id: string; name: string }

const escapeRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

const mentionOf = ({ id, name }: Person) => formatMention({ kind: 'person', id }, name)

const hasNamesake = ({ id, name }: Person, people: readonly Person[]) =>
  people.some((other) => other.id !== id && other.name.toLowerCase() === name.toLowerCase())

/** What a chosen person is written as: the name after an @, or where others have that name, the mention itself. */
export const writtenMention = (person: Person, people: readonly Person[]) =>
  hasNamesake(person, people) ? mentionOf(person) : `@${person.name}`

/**
 * Writes names after an @ as mentions: `@Ann Lee` → `[@Ann Lee](assay://people/…)`. A name that several people have
 * stays text, and so do names in code and links.
 */
export function withMentions(text: string, people: readonly Person[]): string {
  const byName = Map.groupBy(people, ({ name }) => name.toLowerCase())
  // The longest first, so that "Ann Lee" is not a mention of "Ann".
  const names = [...byName.keys()].toSorted((a, b) => b.length - a.length)
  if (names.length === 0) return text
  const literal = codeAndLinks(text)
  const written = new RegExp(`(?<![\\p{L}\\p{N}_\\[])@(${names.map(escapeRegExp).join('|')})(?![\\p{L}\\p{N}_])`, 'giu')
  return text.replaceAll(written, (whole, name: string, at: number) => {
    const [person, ...others] = byName.get(name.toLowerCase()) ?? []
    if (!person || others.length > 0 || literal.some(({ from, to }) => from <= at && at < to)) return whole
    return mentionOf(person)
  })
}

const literalTokens = new Set<string>([
  'autolink',
  'codeFenced',
  'codeIndented',
  'codeText',
  'definition',
  'image',
  'link',
  'literalAutolink',
])

/** HTML is text, as it is where comments are shown. */
const extensions = [gfm(), { disable: { null: ['htmlFlow', 'htmlText'] } }]

function codeAndLinks(text: string) {
  const events = postprocess(
    parse({ extensions })
      .document()
      .write(preprocess()(text, undefined, true)),
  )
  return events.flatMap(([kind, { type, start, end }]) =>
    kind === 'enter' && literalTokens.has(type) ? [{ from: start.offset, to: end.offset }] : [],
  )
}

/**
 * Shows mentions of these people as names again, for the form. Other links stay as they are, and so do all if the names
 * would mention others.
 */
export function withoutMentions(markdown: string, people: readonly Person[]): string {
  const text = markdown.replaceAll(/\[@(?:\\.|[^\]\\])*\]\((assay:\/\/people\/[^\s)]+)\)/g, (whole, url: string) => {
    const mention = parseMentionUrl(url)
    const person = mention?.kind === 'person' && people.find(({ id }) => id === mention.id)
    return person && !hasNamesake(person, people) ? `@${person.name}` : whole
  })
  const isSame = mentionedPeople(withMentions(text, people)).join() === mentionedPeople(markdown).join()
  return isSame ? text : markdown
}

/** The words after an @ before the cursor, while a name is typed. */
export function typedName(text: string, cursor: number): string | undefined {
  return /(?:^|[\s(])@([^@\n]{0,40})$/.exec(text.slice(0, cursor))?.[1]
}
