import { z } from 'zod'

import type { InsightView } from '#contract/insights.ts'
import { fingerprintOf } from '#contract/report-blocks/insight-blocks.ts'
import { kindOf, numberOf, showValue } from '#src/charts/result/values.ts'
import { percent } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import type { FigureContent, LiveFigure } from './figure-content.ts'

/** Converts the result of a saved query to a figure; undefined if the response has no rows. */
export function sqlFigure({ insight, columns, rows }: InsightView): LiveFigure | undefined {
  if (!columns || !rows) return undefined
  const all = z.array(z.array(z.json())).parse(rows)
  const presentation = insight.type === 'sql' ? insight.presentation : undefined
  const table = { columns, rows: all, rowCount: all.length, ...(presentation && { presentation }) }
  const headline = headlineOf(table)
  return {
    title: insight.heading,
    href: paths.insight(insight.reference),
    content: { ...table, ...(headline !== undefined && { headline }) },
    fingerprint: fingerprintOf({ columns: columns.map(({ name }) => name), rows: all }),
    provenance: insight.provenance,
  }
}

/** The headline of a result with one row is the drawn number, or else the last one. */
function headlineOf({ columns, rows, presentation }: FigureContent) {
  const [row] = rows
  if (!row || rows.length > 1) return undefined
  const drawn = presentation?.kind === 'number' ? presentation.y[0] : undefined
  const place = drawn
    ? columns.findIndex(({ name }) => name === drawn)
    : columns.findLastIndex((column) => kindOf(column) === 'number')
  const value = numberOf(row[place])
  if (value === null) return undefined
  const isShare = value >= 0 && value <= 1 && /rate|share|fraction/.test(columns[place]?.name ?? '')
  return isShare ? percent(value) : showValue(value)
}
