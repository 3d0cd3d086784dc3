import { z } from 'zod'

import { ChartKind, listedCharts } from '#contract/chart-kinds.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import type { ChartInsight, InsightList, listInsights as endpoint } from '#contract/insights.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { hasExperiment } from '#platform/inputs/experiments/require-experiment.ts'
import { cutPage, readPageToken } from '#platform/ground/routes/page-token.ts'
import { findInsights } from './store.ts'
import { toChartInsight, toInsight } from './to-insight.ts'

type Input = VerbInput<typeof endpoint>

/** The last row of a page: a chart or a saved query. */
const Position = z.union([z.tuple([ChartKind]), z.tuple([Timestamp, z.string()])])
type Position = z.infer<typeof Position>

/**
 * GET /insights: saved queries, newest first, without executing them. `experiment` also lists its built-in charts,
 * before the saved queries. Charts have no owner, labels or run, so those filters leave them out.
 */
export async function listInsights(context: Context, input: Input): Promise<InsightList> {
  const limit = input.limit ?? limits.insights.default
  const filter = {
    organizationId: context.organization.id,
    search: input.search?.trim(),
    ownerId: input.owner?.trim(),
    experimentId: input.experiment,
    runId: input.run,
    label: input.label?.trim(),
  }
  const listKey = ['insights', filter] as const
  const position = readPageToken(input.pageToken, Position, listKey)
  const charts = await findCharts(context, input, position)
  const after = position?.length === 2 ? { createdAt: position[0], id: position[1] } : undefined
  const rows = await findInsights(context.db, filter, { after, limit: limit + 1 })
  const all = [...charts, ...rows.map((row) => toInsight(context, row))]
  const { shown, ...next } = cutPage(all, limit, listKey, positionOf)
  return { insights: shown, ...next }
}

const positionOf = (last: InsightList['insights'][number]): Position =>
  last.type === 'chart' ? [last.chartKind] : [last.createdAt, last.id]

/** The charts that match the filters and were not on an earlier page. */
async function findCharts(context: Context, input: Input, position: Position | undefined): Promise<ChartInsight[]> {
  const { experiment } = input
  if (!experiment || input.owner || input.label || input.run || position?.length === 2) return []
  const key = { organizationId: context.organization.id, experimentId: experiment }
  if (!(await hasExperiment(context.db, key))) return []
  const shown = position?.length === 1 ? listedCharts.indexOf(position[0]) + 1 : 0
  const sought = input.search?.trim().toLowerCase() ?? ''
  return listedCharts
    .slice(shown)
    .map((kind) => toChartInsight(experiment, kind))
    .filter(({ reference, heading, description }) =>
      [reference, heading, description].some((text) => text?.toLowerCase().includes(sought)),
    )
}
