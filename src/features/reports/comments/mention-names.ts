import { formatMention, parseMentionUrl } from '#contract/report-blocks/mentions.ts'

type Person = { id: string; name: string }

const escapeRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Writes names after an @ as mentions: `@Ann Lee` → `[@Ann Lee](assay://people/…)`. */
export function withMentions(text: string, people: readonly Person[]): string {
  const byName = new Map(people.map((person) => [person.name.toLowerCase(), person]))
  // The longest first, so that "Ann Lee" is not a mention of "Ann".
  const names = [...byName.keys()].toSorted((a, b) => b.length - a.length)
  if (names.length === 0) return text
  const written = new RegExp(`(?<![\\p{L}\\p{N}_\\[])@(${names.map(escapeRegExp).join('|')})(?![\\p{L}\\p{N}_])`, 'giu')
  return text.replaceAll(written, (whole, name: string) => {
    const person = byName.get(name.toLowerCase())
    return person ? formatMention({ kind: 'person', id: person.id }, person.name) : whole
  })
}

/** Shows mentions of these people as names again, for the form. Other links stay as they are. */
export const withoutMentions = (markdown: string, people: readonly Person[]) =>
  markdown.replaceAll(/\[@(?:\\.|[^\]\\])*\]\((assay:\/\/people\/[^\s)]+)\)/g, (whole, url: string) => {
    const mention = parseMentionUrl(url)
    const person = mention?.kind === 'person' && people.find(({ id }) => id === mention.id)
    return person ? `@${person.name}` : whole
  })

/** The words after an @ before the cursor, while a name is typed. */
export function typedName(text: string, cursor: number): string | undefined {
  return /(?:^|[\s(])@([^@\n]{0,40})$/.exec(text.slice(0, cursor))?.[1]
}
