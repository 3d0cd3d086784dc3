import { oneLine } from './field-lines.ts'
import { escapeMarkdown } from './markdown-text.ts'

/** An image in a report. Its size is in the text, so that the page keeps its place before it loads. */
export type ImageReference = { id: string; width: number; height: number }

/** The texts of an image: `alt` for people who cannot see it, `caption` for everyone. */
export type ImageTexts = { alt: string; caption?: string | undefined }

/** The limits of the texts, for the form. */
export const imageTextLimits = { alt: 1000, caption: 500 }

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const reference = new RegExp(`^assay://images/(${uuid})/([1-9]\\d{0,4})x([1-9]\\d{0,4})$`)

/** Parses the URL of an image; null if it is not an image of a report. */
export function parseImageUrl(url: string): ImageReference | null {
  const [, id, width, height] = reference.exec(url) ?? []
  return id === undefined ? null : { id, width: Number(width), height: Number(height) }
}

const imageUrl = ({ id, width, height }: ImageReference) => `assay://images/${id}/${width}x${height}`

/** Formats an image for a report: `![A chart](assay://images/…/800x600 "Caption")`. */
export function formatImage(image: ImageReference, { alt, caption }: ImageTexts): string {
  const title = caption ? ` "${oneLine(caption).replaceAll(/[\\"&<>]/g, String.raw`\$&`)}"` : ''
  return `![${escapeMarkdown(alt)}](${imageUrl(image)}${title})`
}

const mentioned = new RegExp(`assay://images/(${uuid})/`, 'g')

/** The ids of all images that a report's body names, each once. */
export const citedImages = (markdown: string): string[] => [
  ...new Set(Array.from(markdown.matchAll(mentioned), ([, id = '']) => id)),
]
