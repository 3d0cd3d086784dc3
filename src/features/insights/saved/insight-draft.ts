import { z } from 'zod'

import { browserDraft } from '#src/shared/drafts/browser-draft.ts'

const InsightEdit = z.object({
  heading: z.string(),
  description: z.string(),
  labels: z.array(z.string()),
  sql: z.string(),
  includeTestAware: z.boolean(),
})
/** The fields of the edit dialog. */
export type InsightEdit = z.infer<typeof InsightEdit>

/** Contains only changed fields, so that the others show what other people save. */
const InsightDraft = z.object({ change: InsightEdit.partial(), at: z.string() })

export const insightDraft = (insightId: string, actorId: string) =>
  browserDraft(InsightDraft, { about: `edit ${insightId}`, actorId })

export const changeOf = (saved: InsightEdit, edited: InsightEdit): Partial<InsightEdit> => ({
  ...(edited.heading !== saved.heading && { heading: edited.heading }),
  ...(edited.description !== saved.description && { description: edited.description }),
  ...(edited.labels.join('\n') !== saved.labels.join('\n') && { labels: edited.labels }),
  ...(edited.sql !== saved.sql && { sql: edited.sql }),
  ...(edited.includeTestAware !== saved.includeTestAware && { includeTestAware: edited.includeTestAware }),
})
