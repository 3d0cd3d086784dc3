import remarkGfm from 'remark-gfm'

import { rankHeadings } from './rank-headings.ts'

/** The part of unified's processor used here. */
type Processor = { data: () => { micromarkExtensions?: unknown[] } }

/**
 * Treats HTML as text. The HTML tokenizer would also end up as text, but an unclosed comment would include everything
 * after it.
 */
function keepTagsAsText(this: unknown) {
  const data = (this as Processor).data()
  data.micromarkExtensions ??= []
  data.micromarkExtensions.push({ disable: { null: ['htmlFlow', 'htmlText'] } })
}

/** GitHub Flavored Markdown without HTML, and with headings that follow those of the page. */
export const textPlugins = [remarkGfm, keepTagsAsText, rankHeadings]
