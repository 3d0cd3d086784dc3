import { useState } from 'react'

import type { ContextSnapshot, ContextSuggestion } from '#contract/context-suggestions.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { newDraft, SuggestionDraft } from './suggestion-draft.ts'

type About = { actorId: string; snapshot: ContextSnapshot; replaced: ContextSuggestion | undefined }

const keyOf = ({ actorId, snapshot: { kind, targetId }, replaced }: About) =>
  ['assay.suggestion', currentOrganizationId(), actorId, kind, targetId, replaced?.suggestionId ?? ''].join(':')

/** A draft kept in this browser, so that a reload or a new sign-in loses nothing and sends nothing twice. */
export function useSuggestionDraft(about: About) {
  const [storageKey] = useState(() => keyOf(about))
  const [draft, setDraft] = useState(() => read(storageKey) ?? newDraft(about.snapshot, about.replaced))
  return {
    draft,
    /** Saved before it returns, so that a failed request can be retried. */
    keep(next: SuggestionDraft) {
      setDraft(next)
      try {
        localStorage.setItem(storageKey, JSON.stringify(next))
      } catch {
        // If storage is full or blocked, only the page keeps the draft.
      }
    },
    forget: () => localStorage.removeItem(storageKey),
    discard() {
      localStorage.removeItem(storageKey)
      setDraft(newDraft(about.snapshot, about.replaced))
    },
  }
}

function read(storageKey: string): SuggestionDraft | null {
  try {
    return SuggestionDraft.safeParse(JSON.parse(localStorage.getItem(storageKey) ?? 'null')).data ?? null
  } catch {
    return null
  }
}
