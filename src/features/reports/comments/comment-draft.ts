import { z } from 'zod'

import { limits } from '#contract/wire/limit.ts'

/** An unsent text, and the saved text that it began with, which is empty for a new comment. */
export const CommentDraft = z.object({ text: z.string().max(limits.comment), base: z.string().optional() })
export type CommentDraft = z.infer<typeof CommentDraft>

/**
 * The text with which a form opens. A draft of an older version of the comment is `older`, and replaces nothing by
 * itself.
 */
export function openDraft(
  draft: CommentDraft | null,
  saved: { base: string; text: string },
): { text: string; older?: string } {
  if (!draft) return { text: saved.text }
  if ((draft.base ?? '') === saved.base) return { text: draft.text }
  return draft.text === saved.text ? { text: saved.text } : { text: saved.text, older: draft.text }
}
