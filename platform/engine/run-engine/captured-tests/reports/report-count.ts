/**
 * A whole number of a total, with or without separators of thousands: `1,024`, `1.024`, `1 024`. Null if it is none, or
 * if it may be two numbers, as `1.000`.
 */
export function readCount(value: unknown): number | null {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : null
  const text = typeof value === 'string' ? value.trim() : ''
  if (/^\d{1,3}\.000$/.test(text)) return null
  if (/^\d{1,3}(?:[.,'’_\s]\d{3}){1,4}$/.test(text)) return Number(text.replace(/\D/g, ''))
  return /^\+?\d{1,300}(?:[.,]0*)?$/.test(text) ? Number.parseFloat(text) : null
}
