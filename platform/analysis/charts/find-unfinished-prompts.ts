import { axisExpression, axisOfFilter, chartFilters } from '#contract/chart-columns.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { allVersions, type ChartScope, type UnfinishedPrompts } from './chart-scope.ts'
import { findUnfinishedRequests, type QueuedVariant } from './unfinished-store.ts'

/**
 * Selects the runs of the first prompt in each request's queue that has unfinished runs, and of all prompts behind it.
 * Quick runs end first, so neither the ended runs of a prompt nor the prompts that have ended are a fair sample while
 * others of the same age are running. Undefined if every run of the chart has ended.
 */
export async function findUnfinishedPrompts(
  { db }: Context,
  chart: Omit<ChartScope, 'groupBy'>,
): Promise<UnfinishedPrompts | undefined> {
  const variants = (await findUnfinishedRequests(db, chart)).filter((variant) => isShown(variant, chart))
  const unfinished = variants.filter(({ hasUnfinished }) => hasUnfinished)
  if (unfinished.length === 0) return undefined
  const requests = Map.groupBy(variants, ({ requestId }) => requestId)
  const heldBack = [...requests].flatMap(([requestId, ofRequest]) =>
    heldBackPrompts(ofRequest).map((prompt) => `${requestId}~${prompt ?? ''}`),
  )
  return {
    prompts: new Set(unfinished.map(({ prompt }) => prompt)).size,
    condition: `has({unfinished:Array(String)}, concat(toString(run_request_id), '~', ${axisExpression.prompt}))`,
    parameters: { unfinished: heldBack },
  }
}

/** The prompts of a request from the first with unfinished runs on, in the order in which the queue has them. */
function heldBackPrompts(variants: readonly QueuedVariant[]) {
  const queue = [...Map.groupBy(variants, ({ prompt }) => prompt)]
    .map(([prompt, ofPrompt]) => ({
      prompt,
      first: ofPrompt.map(({ firstRunId }) => firstRunId).toSorted()[0] ?? '',
      hasUnfinished: ofPrompt.some((variant) => variant.hasUnfinished),
    }))
    .toSorted((a, b) => (a.first < b.first ? -1 : 1))
  const from = queue.findIndex(({ hasUnfinished }) => hasUnfinished)
  return from === -1 ? [] : queue.slice(from).map(({ prompt }) => prompt)
}

function isShown(variant: QueuedVariant, chart: Omit<ChartScope, 'groupBy'>) {
  if (chart.version !== allVersions && chart.version !== variant.fingerprint) return false
  return chartFilters.every(
    (filter) => chart[filter].length === 0 || chart[filter].includes(variant[axisOfFilter[filter]] ?? ''),
  )
}
