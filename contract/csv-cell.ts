/**
 * One cell of a CSV file (RFC 4180). A spreadsheet runs text that starts like a formula; an apostrophe keeps it text.
 * Numbers stay numbers, including those with more digits than a number of JavaScript can hold.
 */
export function toCsvCell(value: string | number | boolean | null): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  if (/^-\d+(\.\d+)?$/.test(value)) return value
  const text = /^\s*[=+\-@|%＝＋－＠]|^[\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
