import { useState } from 'react'

import type { SqlInsight } from '#contract/insights.ts'
import { changeOf, type InsightEdit, insightDraft } from './insight-draft.ts'

/** Unsaved edits of an insight, kept in this browser, because a dialog can be closed by accident. */
export function useInsightDraft({ insight, sql, actorId }: { insight: SqlInsight; sql: string; actorId: string }) {
  const { heading, description = '', labels, includeTestAware } = insight
  // The insight as it was when the dialog opened, so that later saves by others don't count as this reader's changes.
  const [saved] = useState<InsightEdit>({ heading, description, labels, sql, includeTestAware })
  const [kept] = useState(() => insightDraft(insight.id, actorId))
  const [found] = useState(kept.read)
  const [start] = useState<InsightEdit>({ ...saved, ...found?.change })
  return {
    saved,
    start,
    /** The draft that `start` contains. */
    restored: found && Object.keys(changeOf(saved, start)).length > 0 ? found : null,
    keep(edited: InsightEdit) {
      const change = changeOf(saved, edited)
      if (Object.keys(change).length === 0) kept.remove()
      else kept.write({ change, at: new Date().toISOString() })
    },
    forget: kept.remove,
  }
}
