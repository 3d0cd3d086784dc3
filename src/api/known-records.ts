import type { ContextKind } from '#contract/context-kinds.ts'
import type { ContextSuggestion } from '#contract/context-suggestions.ts'
import type { ExperimentSummary } from '#contract/experiments.ts'

type Known = { experiments: readonly Pick<ExperimentSummary, 'axes'>[]; suggestions: readonly ContextSuggestion[] }

/** `name` is only set for ids that are known to be records. */
type KnownRecord = { id: string; name?: string }

/** Possible records: those the caller made suggestions for, then agents and products of experiments. For platforms without a list of records. */
export function knownRecords(kind: ContextKind, { experiments, suggestions }: Known): KnownRecord[] {
  const suggested = suggestions
    .filter((suggestion) => suggestion.kind === kind)
    .map(({ targetId, targetName }) => ({ id: targetId, name: targetName }))
  const axes = experiments.flatMap(({ axes }) =>
    kind === 'agent' ? axes.agents : kind === 'product' ? axes.products : [],
  )
  const known = new Map<string, KnownRecord>()
  for (const record of [...suggested, ...axes.toSorted().map((id) => ({ id }))])
    if (!known.has(record.id)) known.set(record.id, record)
  return [...known.values()]
}
