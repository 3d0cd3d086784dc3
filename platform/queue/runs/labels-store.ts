import { eq } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'

/** What a run keeps of its labels: lists and charts read it without the labels. */
export type LabelFacts = Pick<typeof runs.$inferSelect, 'tags' | 'disputed' | 'labelSlots'>

export const updateLabelFacts = (tx: Database, runId: string, facts: LabelFacts) =>
  tx.update(runs).set(facts).where(eq(runs.id, runId))
