/** A whole number of a total, with or without separators of thousands: `1,024`, `1.024`, `1 024`. Null if it is none. */
export function readCount(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  if (/^\+?\d{1,15}(?:[.,]0*)?$/.test(text)) return Number.parseInt(text, 10)
  return /^\d{1,3}(?:[.,'’_\s]\d{3}){1,4}$/.test(text) ? Number(text.replace(/\D/g, '')) : null
}
