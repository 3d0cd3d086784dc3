import { inOrderOf } from '#contract/context-kinds.ts'
import type { ContextSuggestion, SuggestionState } from '#contract/context-suggestions.ts'
import type { SuggestionRow } from './store.ts'

type Stored = SuggestionRow['suggestion']

export const toState = ({ id, status, version }: Stored): SuggestionState => ({ suggestionId: id, status, version })

export const toSuggestion = ({ suggestion, target }: SuggestionRow): ContextSuggestion => ({
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
  idempotencyKey: suggestion.idempotencyKey,
  ...(suggestion.replacesId !== null && { replacesRequestId: suggestion.replacesId }),
  ...(suggestion.decisionNote !== null && { decisionNote: suggestion.decisionNote }),
  createdAt: suggestion.createdAt,
  updatedAt: suggestion.updatedAt,
})
