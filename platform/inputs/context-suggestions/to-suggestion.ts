import { inOrderOf } from '#contract/context-kinds.ts'
import type { ContextSuggestion, SharedSuggestion, SuggestionState } from '#contract/context-suggestions.ts'
import type { SuggestionRow } from './store.ts'

type Stored = SuggestionRow['suggestion']

export const toState = ({ id, status, version }: Stored): SuggestionState => ({ suggestionId: id, status, version })

export const toSuggestion = (row: SuggestionRow): ContextSuggestion => ({
  ...factsOf(row),
  idempotencyKey: row.suggestion.idempotencyKey,
})

/** `readerId`: the person who asks. */
export const toShared = (row: SuggestionRow, readerId: string | null): SharedSuggestion => ({
  ...factsOf(row),
  author: { id: row.author.id, name: row.author.name },
  isOwn: row.author.id === readerId,
  current: inOrderOf(
    row.suggestion.kind,
    Object.fromEntries(Object.keys(row.suggestion.proposed).map((name) => [name, row.target.fields[name] ?? ''])),
  ),
  ...(row.decider && { decidedBy: row.decider }),
})

const factsOf = ({ suggestion, target }: SuggestionRow) => ({
  ...toState(suggestion),
  kind: suggestion.kind,
  targetId: suggestion.targetId,
  targetName: target.fields['name'] ?? suggestion.targetId,
  baseRevision: suggestion.baseRevision,
  targetRevision: target.revision,
  base: inOrderOf(suggestion.kind, suggestion.base),
  proposed: inOrderOf(suggestion.kind, suggestion.proposed),
  reason: suggestion.reason,
  evidence: suggestion.evidence,
  ...(suggestion.replacesId !== null && { replacesRequestId: suggestion.replacesId }),
  ...(suggestion.decisionNote !== null && { decisionNote: suggestion.decisionNote }),
  createdAt: suggestion.createdAt,
  updatedAt: suggestion.updatedAt,
})
