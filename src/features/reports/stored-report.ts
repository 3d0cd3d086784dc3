import { canonicalMarkdown } from '#contract/markdown/canonical-markdown.ts'
import type { ReportWithBody } from '#contract/reports.ts'

export type Fields = { title: string; description: string; body: string }

/** A report as the platform stores it. The next save must send its `updatedAt`. */
export type Stored = Fields & { updatedAt: string }

export const toStored = ({ report, bodyMarkdown = '' }: ReportWithBody): Stored => ({
  title: report.title,
  description: report.description ?? '',
  body: bodyMarkdown,
  updatedAt: report.updatedAt,
})

/** The report as the platform would store these fields. A blank title is ignored. */
export const normalizeFields = (stored: Fields, { title, description, body }: Fields): Fields => ({
  title: title.trim() || stored.title,
  description: description.trim(),
  body: canonicalMarkdown(body),
})

/** The fields that a save would change. */
export function changeFrom(stored: Stored, fields: Fields) {
  const { title, description, body } = normalizeFields(stored, fields)
  return {
    ...(title !== stored.title && { title }),
    ...(description !== stored.description && { description }),
    ...(body !== stored.body && { bodyMarkdown: fields.body }),
  }
}

export const isChanged = (stored: Stored, fields: Fields) => Object.keys(changeFrom(stored, fields)).length > 0

/** Compares times as text, padded to the same number of digits, because a platform may omit trailing zeros. */
export const isNewer = (a: Stored, b: Stored) => withAllDigits(a.updatedAt) > withAllDigits(b.updatedAt)

function withAllDigits(stamp: string) {
  const [seconds = '', digits = ''] = stamp.replace('Z', '').split('.')
  return `${seconds}.${digits.padEnd(6, '0')}`
}
