import { z } from 'zod'

import { browserDraft } from '#src/drafts/browser-draft.ts'

const fields = { title: z.string(), description: z.string(), body: z.string() }

/**
 * What someone wrote and has not stored yet, beside what it grew from, so that it still merges after others went on.
 * `base` is the report as last read; `sent` is what a write sent whose answer never came.
 */
const Draft = z.object({
  base: z.object({ updatedAt: z.string(), ...fields }),
  ...fields,
  sent: z.object(fields).optional(),
  savedAt: z.string(),
})
export type Draft = z.infer<typeof Draft>

/** One person's draft of one report, in this browser. */
export const reportDraft = (reportId: string, actorId: string) => browserDraft(Draft, { about: reportId, actorId })
