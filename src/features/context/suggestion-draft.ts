import { z } from 'zod'

import type { ContextFields } from '#contract/context-kinds.ts'
import type { ContextSnapshot, ContextSuggestion } from '#contract/context-suggestions.ts'

/** What somebody wrote and has not submitted, with the key it was last sent under. `revision` is the one it was begun on. */
export const SuggestionDraft = z.object({
  revision: z.int(),
  fields: z.record(z.string(), z.string()),
  reason: z.string(),
  evidence: z.array(z.object({ id: z.string(), url: z.string(), description: z.string() })),
  sent: z.object({ key: z.uuid(), content: z.string() }).optional(),
})
export type SuggestionDraft = z.infer<typeof SuggestionDraft>

export type DraftedEvidence = SuggestionDraft['evidence'][number]

/** Nothing here yet, or what the suggestion to replace says. */
export const newDraft = ({ revision }: ContextSnapshot, replaced: ContextSuggestion | undefined): SuggestionDraft => ({
  revision,
  fields: replaced?.proposed ?? {},
  reason: replaced?.reason ?? '',
  evidence: (replaced?.evidence ?? []).map((item, at) => ({ id: `of ${replaced?.suggestionId} ${at}`, ...item })),
})

/** The fields that say something else than the record does. */
export const proposedBy = ({ fields }: SuggestionDraft, snapshot: ContextSnapshot): ContextFields =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, text]) => [name, text.trim()] as const)
      .filter(([name, text]) => name in snapshot.fields && text !== snapshot.fields[name]),
  )

export const evidenceOf = ({ evidence }: SuggestionDraft) =>
  evidence
    .map(({ url, description }) => ({ url: url.trim(), description: description.trim() }))
    .filter(({ url, description }) => url !== '' || description !== '')

/**
 * The draft with the key to send this content under: the one it was sent under before, so that a retry, also after a
 * reload, is the same submission; another one once anything differs.
 */
export function withKey(draft: SuggestionDraft, content: unknown, newKey: () => string) {
  const text = JSON.stringify(content)
  const sent = draft.sent?.content === text ? draft.sent : { key: newKey(), content: text }
  return { draft: { ...draft, sent }, key: sent.key }
}
