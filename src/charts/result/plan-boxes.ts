import type { Presentation } from '#contract/insight-fields.ts'
import type { BoxGroup } from '#src/charts/box/box-group.ts'
import { seriesOf } from '#src/charts/series.ts'
import { fiveNumbers } from './five-numbers.ts'
import { maxRows, missingNote, tooManyNote } from './notes.ts'
import { readSeries } from './read-series.ts'
import { shortFormat, type Table } from './values.ts'

/** The distribution of each category and series: box, median, whiskers at 1.5 × IQR, and outliers. */
export function planBoxes(table: Table, presentation: Presentation) {
  const { series, categories, missing } = readSeries(table, presentation, true)
  const isNamed = presentation.x !== undefined
  const groups = categories.flatMap((category, place) =>
    series.flatMap(({ name, data }) => {
      const values = data.filter(({ x }) => x === place).map(({ y }) => y)
      const parts = [...(isNamed ? [category] : []), ...(series.length > 1 || !isNamed ? [name] : [])]
      return values.length > 0 ? [{ label: parts.join(' · '), of: series.length > 1 ? name : category, values }] : []
    }),
  )
  const colors = seriesOf(groups.map(({ of }) => of))
  const shown = groups.slice(0, maxRows).map((group) => ({ ...group, numbers: fiveNumbers(group.values) }))
  const format = shortFormat(shown.flatMap(({ numbers: { q1, median, q3 } }) => [q1, median, q3]))
  const boxes = shown.map(({ label, of, values, numbers }): BoxGroup => {
    const { n, q1, median, q3, lowerWhisker, upperWhisker } = numbers
    const spread = `median ${format(median)}, quartiles ${format(q1)} and ${format(q3)}`
    const ends = { min: Math.min(...values), max: Math.max(...values), mean: null }
    const written = { extent: `n = ${n}`, value: `median ${format(median)}`, spread }
    const known = { group: label, label, series: colors.get(of) ?? 0, words: `${label}: ${spread}, n = ${n}` }
    return { ...known, ...written, ...ends, q1, median, q3, lowerWhisker, upperWhisker }
  })
  return {
    kind: 'box' as const,
    groups: boxes,
    outliers: shown.flatMap(({ label, numbers }) => numbers.outliers.map((value) => ({ group: label, value }))),
    title: presentation.y.length === 1 ? (presentation.y[0] ?? '') : '',
    notes: [...tooManyNote(groups.length, 'groups'), ...missingNote(missing)],
    marks: boxes.length,
  }
}
