import { kindOf, numberOf, type Table } from './values.ts'

/** The places of the columns that have the ends of a value's interval, or its standard error. */
export type IntervalColumns = { low: number; high: number } | { error: number }

type Intervals = {
  /** By the place of the column that has the value. */
  of: ReadonlyMap<number, IntervalColumns>
  /** The columns that only describe the interval of another column. */
  parts: ReadonlySet<number>
}

const endNames = [
  ['low', 'high'],
  ['lo', 'hi'],
  ['lower', 'upper'],
  ['ci_low', 'ci_high'],
  ['ci_lo', 'ci_hi'],
  ['ci_lower', 'ci_upper'],
  ['conf_low', 'conf_high'],
  ['lower_bound', 'upper_bound'],
] as const
const errorNames = ['se', 'sem', 'stderr', 'std_err', 'std_error', 'standard_error']

/** Two sides of 95 % of a normal distribution. */
const normal95 = 1.959964

type Candidate = { stem: string; at: number; columns: IntervalColumns }

/** Finds intervals by column name: `rate_low` and `rate_high` or `rate_se` for `rate`; `low` and `high` or `se` for any. */
export function findIntervals(table: Table): Intervals {
  const names = table.columns.map(({ name }) => plainName(name))
  const isNumber = table.columns.map((column) => kindOf(column) === 'number')
  const candidates = names.flatMap((name, place) => (isNumber[place] ? candidatesAt(names, name, place) : []))
  const candidatePlaces = new Set(candidates.flatMap(({ columns }) => Object.values(columns)))
  const values = [...names.keys()].filter((place) => isNumber[place] && !candidatePlaces.has(place))
  const of = new Map<number, IntervalColumns>()
  for (const { stem, at, columns } of candidates) {
    // Without a name, an interval belongs to the value before it, or else to the first one that fits.
    const nearest = [...values.filter((place) => place < at).toReversed(), ...values.filter((place) => place > at)]
    const owner = stem === '' ? nearest.find((place) => fits(table, place, columns)) : names.indexOf(stem)
    if (owner !== undefined && values.includes(owner) && !of.has(owner)) of.set(owner, columns)
  }
  return { of, parts: new Set([...of.values()].flatMap((columns) => Object.values(columns))) }
}

function candidatesAt(names: readonly string[], name: string, at: number): Candidate[] {
  const ends = endNames.flatMap(([low, high]) => {
    const stem = stemOf(name, low)
    const other = stem === null ? -1 : names.indexOf(stem === '' ? high : `${stem}_${high}`)
    return stem === null || other < 0 ? [] : [{ stem, at, columns: { low: at, high: other } }]
  })
  const errors = errorNames.flatMap((ending) => {
    const stem = stemOf(name, ending)
    return stem === null ? [] : [{ stem, at, columns: { error: at } }]
  })
  return [...ends, ...errors]
}

const stemOf = (name: string, ending: string) =>
  name === ending ? '' : name.endsWith(`_${ending}`) ? name.slice(0, -ending.length - 1) : null

/** `testPassRateLow` and `Pass rate (low)` are written like `test_pass_rate_low`. */
export const plainName = (name: string) =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')

function fits({ rows }: Table, place: number, columns: IntervalColumns) {
  if ('error' in columns) return true
  const known = rows.flatMap((row) => {
    const [low, value, high] = [columns.low, place, columns.high].map((column) => numberOf(row[column]))
    return typeof low === 'number' && typeof value === 'number' && typeof high === 'number' ? [[low, value, high]] : []
  })
  return known.length > 0 && known.every(([low = 0, value = 0, high = 0]) => low <= value && value <= high)
}

export type Range = { low: number; high: number }

/** The interval of a value in a row; null if an end is missing. */
export function rangeIn(row: readonly unknown[], value: number, columns: IntervalColumns): Range | null {
  if ('error' in columns) {
    const error = numberOf(row[columns.error])
    // Zero means that no value differed, which says nothing about others.
    return error === null || error === 0 ? null : { low: value - normal95 * error, high: value + normal95 * error }
  }
  const [low, high] = [numberOf(row[columns.low]), numberOf(row[columns.high])]
  return low === null || high === null ? null : { low, high }
}

/** What the whiskers mean. A result of a query does not say what its interval covers, so its columns are named. */
function whiskerNotes({ columns, whiskers }: Table, drawn: readonly IntervalColumns[]): string[] {
  if (whiskers !== undefined) return [whiskers]
  const nameAt = (place: number) => columns[place]?.name ?? ''
  return drawn.map((interval) =>
    'error' in interval
      ? `Whiskers: ± 1.96 × ${nameAt(interval.error)} (95 % of a normal distribution).`
      : `Whiskers: ${nameAt(interval.low)} to ${nameAt(interval.high)}.`,
  )
}

type Drawn = { series: readonly { data: readonly { range: Range | null }[] }[]; intervals: readonly IntervalColumns[] }

export const whiskerNote = (table: Table, { series, intervals }: Drawn) =>
  series.some(({ data }) => data.some(({ range }) => range !== null)) ? whiskerNotes(table, intervals) : []
