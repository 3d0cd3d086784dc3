import type { ContextKind } from '#contract/context-kinds.ts'
import type { ContextSuggestion } from '#contract/context-suggestions.ts'
import type { ExperimentSummary } from '#contract/experiments.ts'

type Known = { experiments: readonly Pick<ExperimentSummary, 'axes'>[]; suggestions: readonly ContextSuggestion[] }

/** Ids that may name a record: of one's own suggestions first, then agents and products of experiments. The API lists no records. */
export function knownTargets(kind: ContextKind, { experiments, suggestions }: Known): string[] {
  const suggested = suggestions.filter((suggestion) => suggestion.kind === kind).map(({ targetId }) => targetId)
  const axes = experiments.flatMap(({ axes }) =>
    kind === 'agent' ? axes.agents : kind === 'product' ? axes.products : [],
  )
  return [...new Set([...suggested, ...axes.toSorted()])]
}
