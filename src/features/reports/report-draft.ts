import { z } from 'zod'

import { browserDraft } from '#src/shared/drafts/browser-draft.ts'

const fields = { title: z.string(), description: z.string(), body: z.string() }

/**
 * Unsaved text with the version it is based on, so that it can be merged later. `base` is the report as last read;
 * `sent` is the content of a save whose response was lost.
 */
const Draft = z.object({
  base: z.object({ updatedAt: z.string(), ...fields }),
  ...fields,
  sent: z.object(fields).optional(),
  savedAt: z.string(),
})
export type Draft = z.infer<typeof Draft>

/** One person's draft of one report in this browser. */
export const reportDraft = (reportId: string, actorId: string) => browserDraft(Draft, { about: reportId, actorId })
