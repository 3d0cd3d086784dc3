import { type ChartKind, chartReference } from '#contract/chart-kinds.ts'
import type { Provenance, ResolvedProvenance } from '#contract/insight-fields.ts'
import type { ChartInsight, SqlInsight } from '#contract/insights.ts'
import { builtInCharts } from '#platform/analysis/charts/built-in-charts.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { canChange } from './policy.ts'
import type { InsightRow } from './store.ts'

export function toInsight(context: Context, row: InsightRow): SqlInsight {
  const { insight, owner, updatedBy, publishedAt } = row
  const { id, slug, heading, labels, dataSchema, includeTestAware, createdAt, updatedAt } = insight
  return {
    type: 'sql',
    reference: id,
    id,
    slug,
    heading,
    ...(insight.description !== null && { description: insight.description }),
    labels,
    provenance: toProvenance({ ...insight, runUuid: row.runUuid }),
    dataSchema,
    includeTestAware,
    ...(insight.presentation && { presentation: insight.presentation }),
    owner,
    updatedBy,
    createdAt,
    updatedAt,
    ...(publishedAt && { publishedAt }),
    canChange: canChange(context, insight),
  }
}

type ProvenanceRow = {
  provenance: Provenance['kind']
  experimentId: string | null
  runId: string | null
  runUuid: string | null
}

const toProvenance = ({ provenance, experimentId, runId, runUuid }: ProvenanceRow): ResolvedProvenance => ({
  kind: provenance,
  ...(experimentId !== null && { experimentId }),
  ...(runId !== null && { runId }),
  ...(runUuid !== null && { runUuid }),
})

export const toChartInsight = (experimentId: string, kind: ChartKind): ChartInsight => ({
  type: 'chart',
  reference: chartReference(experimentId, kind),
  heading: builtInCharts[kind].heading,
  description: builtInCharts[kind].description,
  labels: [],
  provenance: { kind: 'experiment', experimentId },
  dataSchema: 'session_data_v1',
  chartKind: kind,
})
