import { formatCallout } from './callouts.ts'
import { escapeMarkdown, fenceAround } from './markdown-text.ts'

/** Something that a result showed, quoted into a report with the way back to it. */
export type Clip = {
  title: string
  /** Where it was seen, a path of the dashboard with its whole query. */
  path: string
  /** As it was shown, plain text. */
  quote: string
  /** What it depends on, each as people read it: `v3`, `model: gpt-5`. */
  facts: string[]
  /** RFC 3339. */
  clippedAt: string
}

const encodeDestination = (path: string) => path.replaceAll(/[\s<>\\]/g, (mark) => encodeURIComponent(mark))

/** A callout of kind `clip`: the linked title, the quote in a fence that it cannot leave, facts and date on the last line. */
export function formatClip({ title, path, quote, facts, clippedAt }: Clip): string {
  const fence = fenceAround(quote)
  const text = quote.replaceAll(/\r\n?/g, '\n').replace(/\n+$/, '')
  const source = [...facts, clippedAt].map(escapeMarkdown).join(' · ')
  const link = `[${escapeMarkdown(title)}](<${encodeDestination(path)}>)`
  return formatCallout('clip', `${link}\n\n${fence}text\n${text}\n${fence}\n\n${source}`)
}
