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

/** What the platform holds once fields are written over what is stored; a blank title is none. */
export const normalizeFields = (stored: Fields, { title, description, body }: Fields): Fields => ({
  title: title.trim() || stored.title,
  description: description.trim(),
  body: canonicalMarkdown(body),
})

/** What a write would change. */
export function changeFrom(stored: Stored, fields: Fields) {
  const { title, description, body } = normalizeFields(stored, fields)
  return {
    ...(title !== stored.title && { title }),
    ...(description !== stored.description && { description }),
    ...(body !== stored.body && { bodyMarkdown: fields.body }),
  }
}

export const isChanged = (stored: Stored, fields: Fields) => Object.keys(changeFrom(stored, fields)).length > 0

/** Stamps compare as text once they have equally many digits; a platform may leave zeros at the end out. */
export const isNewer = (a: Stored, b: Stored) => withAllDigits(a.updatedAt) > withAllDigits(b.updatedAt)

function withAllDigits(stamp: string) {
  const [seconds = '', digits = ''] = stamp.replace('Z', '').split('.')
  return `${seconds}.${digits.padEnd(6, '0')}`
}
