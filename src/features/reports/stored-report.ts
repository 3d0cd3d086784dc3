import { canonicalMarkdown } from '#contract/markdown/canonical-markdown.ts'
import type { ReportWithBody } from '#contract/reports.ts'

export type Fields = { title: string; description: string; body: string }

/** A report as the platform keeps it; `updatedAt` is what the next write expects. */
export type Stored = Fields & { updatedAt: string }

export const toStored = ({ report, bodyMarkdown = '' }: ReportWithBody): Stored => ({
  title: report.title,
  description: report.description ?? '',
  body: bodyMarkdown,
  updatedAt: report.updatedAt,
})

/** What a write would change; a blank title is none. */
export function changeFrom(stored: Stored, { title, description, body }: Fields) {
  return {
    ...(title.trim() !== '' && title.trim() !== stored.title && { title: title.trim() }),
    ...(description.trim() !== stored.description && { description: description.trim() }),
    ...(canonicalMarkdown(body) !== stored.body && { bodyMarkdown: body }),
  }
}

export const isChanged = (stored: Stored, fields: Fields) => Object.keys(changeFrom(stored, fields)).length > 0

/** Stamps compare as text once they have equally many digits; the database leaves zeros at the end out. */
export const isNewer = (a: Stored, b: Stored) => withAllDigits(a.updatedAt) > withAllDigits(b.updatedAt)

function withAllDigits(stamp: string) {
  const [seconds = '', digits = ''] = stamp.replace('Z', '').split('.')
  return `${seconds}.${digits.padEnd(6, '0')}`
}
