import { z } from 'zod'

import { browserDraft } from '#src/drafts/browser-draft.ts'

/**
 * What someone wrote and has not stored yet, beside what it grew from, so that it still merges after others went on.
 * `base` is the report as last read.
 */
const Draft = z.object({
  base: z.object({ updatedAt: z.string(), title: z.string(), description: z.string(), body: z.string() }),
  title: z.string(),
  description: z.string(),
  body: z.string(),
  savedAt: z.string(),
})
export type Draft = z.infer<typeof Draft>

/** One person's draft of one report, in this browser. */
export const reportDraft = (reportId: string, actorId: string) => browserDraft(Draft, { about: reportId, actorId })
