/**
 * One cell of a CSV file (RFC 4180). A spreadsheet runs text that starts like a formula; an apostrophe keeps it text.
 * Numbers stay numbers, including those with more digits than a number of JavaScript can hold.
 */
export function toCsvCell(value: string | number | boolean | null): string {
  return quoted(plainText(value), /[",\r\n]/)
}

/** One cell of tab-separated text, as spreadsheets copy and paste it. */
export const toTabCell = (value: string | number | boolean | null): string => quoted(plainText(value), /["\t\r\n]/)

const quoted = (text: string, special: RegExp) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A value as text that no spreadsheet takes for a formula. */
export function plainText(value: string | number | boolean | null): string {
  if (value === null) return ''
  if (typeof value !== 'string' || /^-\d+(\.\d+)?$/.test(value)) return String(value)
  return /^\s*[=+\-@|%＝＋－＠]|^[\t\r\n]/.test(value) ? `'${value}` : value
}
