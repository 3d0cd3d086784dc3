import type { Presentation } from '#contract/insight-fields.ts'
import type { Drawing, Hit } from './drawing.ts'
import { at, cutLabel, label, letterWidth } from './frame.ts'
import { type Markup, markup } from './markup.ts'
import { hiddenNote, missingNote, maxRows, tooManyNote } from './notes.ts'
import { readSeries } from './read-series.ts'
import { shortFormat, shortNumber, type Table } from './values.ts'
import { valueWithRange } from './whiskers.ts'

const rowHeight = 26
const steps = 10
const widestCell = 120

/** `x` as columns, `series` as rows; a stronger color means a greater value. An empty cell has no value. */
export function drawHeatmap(table: Table, presentation: Presentation, width: number): Drawing {
  const read = readSeries(table, { ...presentation, y: presentation.y.slice(0, 1) }, true)
  const [across, down] = [read.categories.slice(0, maxRows), read.series.slice(0, maxRows)]
  const shown = down.map((one) => ({ ...one, data: one.data.filter(({ x }) => x < across.length) }))
  const values = shown.flatMap(({ data }) => data.map(({ y }) => y))
  const format = shortFormat(values)
  const [low, high] = values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity])
  const longest = Math.max(...down.map(({ name }) => name.length), 1) * letterWidth + 12
  // Names use the space that the widest cells leave.
  const left = Math.min(longest, Math.max(width * 0.3, width - across.length * widestCell))
  const cell = Math.max(30, Math.min(widestCell, (width - left) / Math.max(1, across.length)))
  const letters = Math.floor((cell - 4) / letterWidth)
  const top = 24
  const hits: Hit[] = []
  const marks: Markup[] = [
    ...across.map((name, place) =>
      cutLabel({ x: left + (place + 0.5) * cell, y: 12, name, letters, place: 'rc-middle' }),
    ),
    ...shown.flatMap(({ name, data }, row) => [
      cutLabel({
        x: left - 8,
        y: top + (row + 0.5) * rowHeight,
        name,
        letters: Math.floor((left - 12) / letterWidth),
        place: 'rc-end',
      }),
      ...data.flatMap((datum) => {
        const [x, y] = [left + datum.x * cell, top + row * rowHeight]
        const words = `${name}, ${datum.category}: ${valueWithRange(datum)}`
        hits.push({ x: x + cell / 2, y: y + rowHeight / 2, width: cell, height: rowHeight, words, row: datum.row })
        const step =
          high > low ? Math.round(((datum.y - (low ?? 0)) / ((high ?? 0) - (low ?? 0))) * (steps - 1)) : steps - 1
        const exact = format(datum.y)
        const text = exact.length <= letters ? exact : shortNumber(datum.y)
        return [
          markup('rect', {
            x: at(x + 0.5),
            y: y + 0.5,
            width: at(cell - 1),
            height: rowHeight - 1,
            className: `rc-heat-${step}`,
          }),
          ...(text.length <= letters ? [label(x + cell / 2, y + rowHeight / 2, text, 'rc-middle rc-cell')] : []),
        ]
      }),
    ]),
  ]
  return {
    width: Math.max(width, left + across.length * cell),
    height: top + down.length * rowHeight + 8,
    marks,
    hits,
    legend: [],
    notes: [
      ...(values.length > 0 ? [`${presentation.y[0]} from ${format(low ?? 0)} to ${format(high ?? 0)}.`] : []),
      ...tooManyNote(read.categories.length, 'columns'),
      ...tooManyNote(read.series.length, 'rows'),
      ...hiddenNote(shown, 'cell'),
      ...missingNote(read.missing),
    ],
  }
}
