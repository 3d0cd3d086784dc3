import { z } from 'zod'

import type { ContextFields } from '#contract/context-kinds.ts'
import type { ContextSnapshot, ContextSuggestion } from '#contract/context-suggestions.ts'

/** An unsubmitted draft with the key it was last sent under. `revision` is the record's revision when the draft was started. */
export const SuggestionDraft = z.object({
  revision: z.int(),
  fields: z.record(z.string(), z.string()),
  reason: z.string(),
  evidence: z.array(z.object({ id: z.string(), url: z.string(), description: z.string() })),
  sent: z.object({ key: z.uuid(), content: z.string() }).optional(),
})
export type SuggestionDraft = z.infer<typeof SuggestionDraft>

type DraftedEvidence = SuggestionDraft['evidence'][number]

/** An empty draft, or the content of the suggestion to replace. */
export const newDraft = ({ revision }: ContextSnapshot, replaced: ContextSuggestion | undefined): SuggestionDraft => ({
  revision,
  fields: replaced?.proposed ?? {},
  reason: replaced?.reason ?? '',
  evidence: (replaced?.evidence ?? []).map((item, at) => ({ id: `of ${replaced?.suggestionId} ${at}`, ...item })),
})

/** The fields that differ from the record. */
export const changedFields = ({ fields }: SuggestionDraft, snapshot: ContextSnapshot): ContextFields =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, text]) => [name, text.trim()] as const)
      .filter(([name, text]) => name in snapshot.fields && text !== snapshot.fields[name]),
  )

const isFilled = ({ url, description }: DraftedEvidence) => url.trim() !== '' || description.trim() !== ''

export const evidenceOf = ({ evidence }: SuggestionDraft) =>
  evidence.filter(isFilled).map(({ url, description }) => ({ url: url.trim(), description: description.trim() }))

/** The field of the draft that shows an error at this path of the submitted suggestion. */
export function draftField(path: string, { evidence }: SuggestionDraft): string | undefined {
  const [name, part, ...rest] = path.split('.')
  if (name === 'reason') return name
  if (part === undefined) return undefined
  if (name === 'proposed') return `fields.${part}`
  const sent = name === 'evidence' ? evidence.filter(isFilled)[Number(part)] : undefined
  return sent && ['evidence', evidence.indexOf(sent), ...rest].join('.')
}

/**
 * Returns the draft with its idempotency key. Unchanged content keeps its key, so a retry, even after a reload, counts
 * as the same submission; any change gets a new key.
 */
export function withKey(draft: SuggestionDraft, content: unknown, newKey: () => string) {
  const text = JSON.stringify(content)
  const sent = draft.sent?.content === text ? draft.sent : { key: newKey(), content: text }
  return { draft: { ...draft, sent }, key: sent.key }
}
