import { z } from 'zod'

import { browserDraft } from '#src/drafts/browser-draft.ts'

const Edited = z.object({
  heading: z.string(),
  description: z.string(),
  labels: z.array(z.string()),
  sql: z.string(),
  includeTestAware: z.boolean(),
})
/** What the edit dialog shows of an insight. */
export type Edited = z.infer<typeof Edited>

/** Only what was changed: the rest goes on saying what others save. */
const InsightDraft = z.object({ change: Edited.partial(), at: z.string() })

export const insightDraft = (insightId: string, actorId: string) =>
  browserDraft(InsightDraft, { about: `edit ${insightId}`, actorId })

export const changeOf = (saved: Edited, edited: Edited): Partial<Edited> => ({
  ...(edited.heading !== saved.heading && { heading: edited.heading }),
  ...(edited.description !== saved.description && { description: edited.description }),
  ...(edited.labels.join('\n') !== saved.labels.join('\n') && { labels: edited.labels }),
  ...(edited.sql !== saved.sql && { sql: edited.sql }),
  ...(edited.includeTestAware !== saved.includeTestAware && { includeTestAware: edited.includeTestAware }),
})
