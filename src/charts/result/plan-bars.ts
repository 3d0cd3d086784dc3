import type { Presentation } from '#contract/insight-fields.ts'
import { seriesOf } from '#src/charts/series.ts'
import { type LabelledAxis, numberAxis } from './axes.ts'
import { whiskerNote } from './intervals.ts'
import { hiddenNote, maxRows, missingNote, tooManyNote } from './notes.ts'
import { type Datum, readSeries, valuesAndEnds, valueWithRange } from './read-series.ts'
import type { Table } from './values.ts'

/** A bar, or the room between the bars of two categories, which has no value. `name` is at the middle bar of a category. */
export type PlannedBar = { key: string; color: number; name: string | null; words: string; datum: Datum | null }

/** One horizontal bar per category and series, so that long names are readable. A category has no gaps for series that it lacks. */
export function planBars(table: Table, presentation: Presentation) {
  const read = readSeries(table, presentation, true)
  const names = read.categories.slice(0, maxRows)
  const colors = seriesOf(read.series.map(({ name }) => name))
  const series = read.series.map((one) => ({ ...one, data: one.data.filter(({ x }) => x < names.length) }))
  const isParted = series.length > 1
  const bars = names.flatMap((name, category): PlannedBar[] => {
    const here = series.flatMap((one) => {
      // Of several rows with the same bar the last is drawn, as a note says.
      const datum = one.data.findLast(({ x }) => x === category)
      return datum ? [{ one, datum }] : []
    })
    const middle = Math.floor((here.length - 1) / 2)
    const own = here.map(({ one, datum }, place) => ({
      key: `${category} ${one.name}`,
      // Bars of one kind have the first color: another would mean nothing.
      color: (isParted ? colors.get(one.name) : undefined) ?? 0,
      name: place === middle ? name : null,
      words: [name, ...(isParted ? [one.name] : []), valueWithRange(datum)].join(': '),
      datum,
    }))
    const none = { color: 0, words: '', datum: null }
    if (own.length === 0) return [{ ...none, key: `${category}`, name }]
    return isParted && category < names.length - 1 ? [...own, { ...none, key: `${category} room`, name: null }] : own
  })
  const all = series.flatMap(({ data }) => data)
  const x: LabelledAxis = numberAxis(valuesAndEnds(all), true)
  return {
    kind: 'bar' as const,
    bars,
    x,
    legend: isParted ? series.map(({ name }) => ({ name, series: colors.get(name) ?? 0 })) : [],
    title: presentation.y.length === 1 ? (presentation.y[0] ?? '') : '',
    notes: [
      ...whiskerNote(table, read),
      ...tooManyNote(read.categories.length, 'categories'),
      ...hiddenNote(series, 'bar'),
      ...missingNote(read.missing),
    ],
    marks: all.length,
  }
}
