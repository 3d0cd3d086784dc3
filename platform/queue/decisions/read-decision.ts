import { type Decision, groupOfVariant, maxDecisionLooks } from '#contract/until-decided.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { intervalAt } from '#statistics/stopping/until-decided.ts'
import { type Judged, judgeRequest } from './judge-request.ts'
import { countVariants, findDecision, type VariantCounts } from './store.ts'
import { toComparison } from './to-comparison.ts'

/** How a request stops when its question is decided; undefined if it runs to its end. */
export const findDesign = async (db: Database, requestId: string) => (await findDecision(db, requestId))?.design

/** How far a request is from its decision; null if it runs to its end. */
export async function readDecision(db: Database, requestId: string): Promise<Decision | null> {
  const row = await findDecision(db, requestId)
  if (!row) return null
  const { design, stopped, verdict } = row
  const counts = await countVariants(db, row)
  const judged = judgeRequest(design, counts)
  return {
    design,
    ...(stopped && { stopped }),
    ...(verdict && { verdict }),
    completePrompts: judged.looks.length,
    skippedPrompts: judged.skippedPrompts,
    canceledPrompts: judged.canceledPrompts,
    endedRuns: judged.endedRuns,
    spentUsd: judged.spentUsd,
    looks: spread(judged.looks).map(({ look, runs, costUsd }) => ({
      ...toComparison(design, look),
      runs,
      costUsd,
      earlyInterval: intervalAt(look, design.earlyLevel),
      endInterval: intervalAt(look, design.endLevel),
    })),
    saved: { runs: stopped?.canceledRuns ?? 0, costUsd: stopped ? savedUsd(counts) : 0 },
  }
}

/** At most so many, with the last one. */
function spread(looks: Judged['looks']) {
  const step = Math.ceil(looks.length / maxDecisionLooks)
  return looks.filter((_, place) => (looks.length - 1 - place) % step === 0)
}

/** What the runs that stopping canceled would have cost: as those of the same agent, model and so on did. Null if one of these has no cost. */
function savedUsd(counts: readonly VariantCounts[]): number | null {
  const axes = 'agent~agent_mode~model~product~environment'
  const groups = Map.groupBy(counts, (variant) => groupOfVariant(axes, variant))
  let saved = 0
  for (const variants of groups.values()) {
    const sumOf = (name: 'canceledByStop' | 'paid' | 'costUsd') =>
      variants.reduce((sum, variant) => sum + variant[name], 0)
    if (sumOf('canceledByStop') === 0) continue
    if (sumOf('paid') === 0) return null
    saved += (sumOf('canceledByStop') * sumOf('costUsd')) / sumOf('paid')
  }
  return saved
}
