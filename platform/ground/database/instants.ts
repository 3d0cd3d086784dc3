/**
 * Reads both drivers' text (`2026-01-02 03:04:05.6789+00`) and restores trailing zeros: as text, `.6Z` sorts after
 * `.65Z`.
 */
export function toInstant(value: string | Date): string {
  const text = value instanceof Date ? value.toISOString() : value.replace(' ', 'T').replace(/([+-]00)(:?00)?$/, 'Z')
  const [seconds = '', fraction = ''] = text.slice(0, -1).split('.')
  return `${seconds}.${fraction.padEnd(6, '0')}Z`
}

/** Converts any RFC 3339 text to the same form: UTC with microseconds. */
export function toSixDigits(text: string): string {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? ''
  return `${new Date(text).toISOString().slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`
}
