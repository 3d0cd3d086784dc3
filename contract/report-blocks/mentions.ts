import { type ContextKind, contextKinds } from '#contract/context-kinds.ts'
import { escapeMarkdown } from './markdown-text.ts'

/**
 * The targets of mentions in a report. A run is identified by its composite id, a person by the id in other records.
 */
export type Mention =
  | { kind: 'context'; contextKind: ContextKind; id: string }
  | { kind: 'experiment' | 'run' | 'person'; id: string }

const folders = { experiment: 'experiments', run: 'runs', person: 'people' } as const

/** `encodeURIComponent` keeps brackets, which would end a link. */
const encodeId = (id: string) =>
  encodeURIComponent(id).replaceAll(/[()'*!~]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

export const mentionUrl = (mention: Mention) =>
  mention.kind === 'context'
    ? `assay://context/${mention.contextKind}/${encodeId(mention.id)}`
    : `assay://${folders[mention.kind]}/${encodeId(mention.id)}`

/** Formats a mention for a report: `[@Ann](assay://people/…)`. */
export const formatMention = (mention: Mention, label: string) =>
  `[@${escapeMarkdown(label) || escapeMarkdown(mention.id)}](${mentionUrl(mention)})`

/** Parses the URL of a link; null if it is not a mention. */
export function parseMentionUrl(url: string): Mention | null {
  const [, folder, rest] = /^assay:\/\/([a-z]+)\/(.+)$/.exec(url) ?? []
  if (folder === undefined || rest === undefined) return null
  if (folder === 'context') {
    const [kindText, idText, ...more] = rest.split('/')
    const contextKind = contextKinds.find((kind) => kind === kindText)
    const id = decodeId(idText)
    return contextKind && id && more.length === 0 ? { kind: 'context', contextKind, id } : null
  }
  const id = decodeId(rest)
  if (!id) return null
  for (const kind of ['experiment', 'run', 'person'] as const) if (folders[kind] === folder) return { kind, id }
  return null
}

/** The ids of the people that a text mentions, each once. */
export function mentionedPeople(markdown: string): string[] {
  const mentions = Array.from(markdown.matchAll(/\]\((assay:\/\/people\/[^\s)]+)/g), ([, url = '']) =>
    parseMentionUrl(url),
  )
  return [...new Set(mentions.flatMap((mention) => (mention?.kind === 'person' ? [mention.id] : [])))]
}

function decodeId(text: string | undefined) {
  if (!text || text.includes('/')) return null
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
