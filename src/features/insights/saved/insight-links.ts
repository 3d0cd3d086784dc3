import { readChartReference } from '#contract/chart-kinds.ts'
import type { Provenance } from '#contract/insight-fields.ts'
import { paths } from '#src/paths.ts'

/** A saved query has its own page; a built-in chart is a view of its experiment's results. */
export function insightHref(reference: string): string {
  const chart = readChartReference(reference)
  return chart ? paths.chart(chart.experimentId, chart.kind) : paths.insight(reference)
}

/** The query page with the scope an insight was saved for. */
export function queryHref(
  { kind, experimentId, runId }: Provenance,
  sql: string,
  more: Parameters<typeof paths.query>[2],
) {
  if (kind === 'run' && runId !== undefined) return paths.query({ run: runId }, sql, more)
  if (kind === 'experiment' && experimentId !== undefined) return paths.query({ experiment: experimentId }, sql, more)
  return paths.query({}, sql, { ...more, scope: 'organization' })
}
