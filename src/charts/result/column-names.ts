import { findIntervals, plainName } from './intervals.ts'
import { kindOf, type Table } from './values.ts'

/** The columns that a chart can use, those that suit it best first. The ends of intervals are left out. */
export type ColumnNames = {
  all: readonly string[]
  /** For values: rates, then other measures, counts, ids, and columns that never change. */
  numbers: readonly string[]
  /** For an axis: numbers in the order of the result. */
  scales: readonly string[]
  /** Times and texts that vary. */
  times: readonly string[]
  texts: readonly string[]
  /** Texts, including those that never change, which a heatmap can still show. */
  labels: readonly string[]
  /** Texts that several rows share, so that they form groups. */
  groups: readonly string[]
}

type Known = { name: string; place: number; kind: string; rank: number; distinct: number | null }

export function columnNames(table: Table): ColumnNames {
  const { parts } = findIntervals(table)
  const known = table.columns.flatMap((column, place): Known[] =>
    parts.has(place)
      ? []
      : [
          {
            name: column.name,
            place,
            kind: kindOf(column),
            rank: rankOf(column),
            distinct: table.rows.length > 1 ? distinctValues(table, place) : null,
          },
        ],
  )
  const named = (columns: readonly Known[]) => columns.map(({ name }) => name)
  const ofKind = (kind: string) => known.filter((column) => column.kind === kind)
  const labels = varyingFirst(ofKind('text').toSorted((a, b) => Number(a.rank === idRank) - Number(b.rank === idRank)))
  const texts = labels.filter(varies)
  return {
    all: named(varyingFirst(known)),
    numbers: named(varyingFirst(ofKind('number').toSorted((a, b) => a.rank - b.rank))),
    scales: named(varyingFirst(ofKind('number'))),
    times: named(ofKind('time').filter(varies)),
    texts: named(texts),
    labels: named(labels),
    groups: named(texts.filter(({ distinct }) => distinct === null || distinct < table.rows.length)),
  }
}

/** A column with one value in all rows shows nothing, and one without any value shows even less. */
const varyingFirst = (columns: readonly Known[]) => columns.toSorted((a, b) => variety(b) - variety(a))

/** Without several rows nothing is known, so every column may vary. */
const varies = ({ distinct }: Known) => distinct === null || distinct > 1

const variety = ({ distinct }: Known) => Math.min(distinct ?? 2, 2)

/** A missing number is no value; a missing name is a category of its own. */
function distinctValues({ columns, rows }: Table, place: number) {
  const column = columns[place]
  const isNumber = column !== undefined && kindOf(column) === 'number'
  const values = rows.map((row) => row[place] ?? null)
  return new Set((isNumber ? values.filter((value) => value !== null) : values).map((value) => JSON.stringify(value)))
    .size
}

const idRank = 4
const rate = /(^|_)(rate|share|ratio|percent|percentage|solved|accuracy|score|probability)(_|$)|^pass_(at|hat)_/
const counter = /(^|_)(count|runs|n|rows|tests|tasks|prompts|repeats)$/
const id = /(^|_)(id|ids|fingerprint|ordinal|repeat|seq|index|version)$/

function rankOf({ name, type }: Table['columns'][number]): number {
  const plain = plainName(name)
  if (id.test(plain)) return idRank
  if (counter.test(plain)) return 3
  if (rate.test(plain)) return 0
  return /Float|Decimal/.test(type) ? 1 : 2
}
