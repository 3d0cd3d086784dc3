import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import type { ContextSnapshot, ContextSuggestion } from '#contract/context-suggestions.ts'
import { submitSuggestion } from '#src/api/context-suggestions.ts'
import { paths } from '#src/paths.ts'
import { evidenceOf, changedFields, withKey } from './suggestion-draft.ts'
import type { useSuggestionDraft } from './use-suggestion-draft.ts'

type About = {
  snapshot: ContextSnapshot
  replaced: ContextSuggestion | undefined
  drafting: ReturnType<typeof useSuggestionDraft>
}

/** Sends the draft. The same content always has the same key. */
export function useSubmit({ snapshot: { kind, targetId, revision }, snapshot, replaced, drafting }: About) {
  const navigate = useNavigate()
  const { draft, keep, forget } = drafting
  const sending = useMutation({
    mutationFn: (asNew: boolean) => {
      const content = {
        kind,
        targetId,
        baseRevision: revision,
        proposed: changedFields(draft, snapshot),
        reason: draft.reason.trim(),
        evidence: evidenceOf(draft),
        ...(replaced && !asNew && { replacesRequestId: replaced.suggestionId, expectedVersion: replaced.version }),
      }
      const { draft: keyed, key } = withKey(draft, content, () => crypto.randomUUID())
      keep(keyed)
      return submitSuggestion({ ...content, idempotencyKey: key })
    },
    async onSuccess({ suggestionId }) {
      forget()
      await navigate(paths.context({ suggestion: suggestionId }))
    },
  })
  return {
    error: sending.error,
    isPending: sending.isPending,
    reset: sending.reset,
    submit: () => sending.mutate(false),
    submitAsNew: () => sending.mutate(true),
  }
}
