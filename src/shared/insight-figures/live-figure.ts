import type { CitedInsight } from '#src/api/cited-insights.ts'
import { chartFigure } from './chart-figure.ts'
import { sqlFigure } from './sql-figure.ts'

/** The figure of an insight's current result; undefined if it has no rows to show. */
export const liveFigure = (cited: CitedInsight) => (cited.kind === 'sql' ? sqlFigure(cited.view) : chartFigure(cited))
