import { formatCallout } from './callouts.ts'
import { escapeMarkdown, fenceAround } from './markdown-text.ts'

/** A quote from a result in a report, with a link back to it. */
export type Clip = {
  title: string
  /** The page of the quote: a path of the dashboard with its whole query. */
  path: string
  /** The quoted plain text. */
  quote: string
  /** The conditions of the result in readable form: `v3`, `model: gpt-5`. */
  facts: string[]
  /** In RFC 3339. */
  clippedAt: string
}

const encodeDestination = (path: string) => path.replaceAll(/[\s<>\\]/g, (mark) => encodeURIComponent(mark))

/**
 * Returns a `clip` callout: the linked title, the quote in a fence that the quote cannot close, and facts and date on
 * the last line.
 */
export function formatClip({ title, path, quote, facts, clippedAt }: Clip): string {
  const fence = fenceAround(quote)
  const text = quote.replaceAll(/\r\n?/g, '\n').replace(/\n+$/, '')
  const source = [...facts, clippedAt].map(escapeMarkdown).join(' · ')
  const link = `[${escapeMarkdown(title)}](<${encodeDestination(path)}>)`
  return formatCallout('clip', `${link}\n\n${fence}text\n${text}\n${fence}\n\n${source}`)
}
