const perUnit: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
}

/** A test can run for a day at most. A longer time is in another unit, such as nanoseconds, and says nothing. */
const maxMs = 24 * 3600 * 1000

const clock = /^(\d+):(\d\d?):(\d\d?(?:[.,]\d+)?)$/
const measure = /^([+-]?[\d.,'’\s]*\d\.?(?:[.,]?e[+-]?\d+)?)\s*([a-zµμ]*)$/i
/** A duration of ISO 8601. */
const iso = /^PT(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:[.,]\d+)?)S)?$/i

/**
 * Milliseconds of a time as reports write it: `1,024.12` and `1.024,12` with thousands separators, `0,160` with a decimal
 * comma, `12ms`, `00:00:01.5`. Without a unit it is in `unitMs`. Null if it is absent, ambiguous (`1,024`) or impossible.
 */
export function readTime(text: string | number | null | undefined, unitMs = 1000): number | null {
  if (text === null || text === undefined) return null
  const ms = typeof text === 'number' ? text * unitMs : parseTime(text.slice(0, 60).trim(), unitMs)
  return ms !== null && ms >= 0 && ms <= maxMs ? Math.round(ms * 1e6) / 1e6 : null
}

function parseTime(text: string, unitMs: number) {
  const ofClock = clock.exec(text)
  if (ofClock)
    return (Number(ofClock[1]) * 60 + Number(ofClock[2])) * 60_000 + Number(ofClock[3]?.replace(',', '.')) * 1000
  const ofIso = /\d/.test(text) ? iso.exec(text) : null
  if (ofIso) {
    const [hours = 0, minutes = 0, seconds = 0] = ofIso.slice(1).map((part = '0') => Number(part.replace(',', '.')))
    return (hours * 60 + minutes) * 60_000 + seconds * 1000
  }
  const [, digits, unit = ''] = measure.exec(text) ?? []
  const value = digits === undefined ? null : readNumber(digits.replace(/['’\s]/g, ''))
  return value === null
    ? null
    : value * (/^s(?:ecs?|econds?)?$/i.test(unit) ? 1000 : (perUnit[unit.toLowerCase()] ?? unitMs))
}

function readNumber(text: string) {
  const plain = withDecimalPoint(text)
  const value = plain === null ? Number.NaN : Number(plain)
  return Number.isFinite(value) ? value : null
}

/** One comma before three digits may separate thousands or decimals: then the number is unknown. */
function withDecimalPoint(text: string) {
  if (!text.includes(',')) return text
  // Groups of two digits are Indian.
  if (/^\d{1,3}(?:,\d{2,3})*,\d{3}\.\d+$|^\d{1,3}(?:,\d{3}){2,}$/.test(text)) return text.replaceAll(',', '')
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(text)) return text.replaceAll('.', '').replace(',', '.')
  if (/^\d+,\d+$/.test(text) && (text.startsWith('0') || !/^\d{1,3},\d{3}$/.test(text))) return text.replace(',', '.')
  return null
}
