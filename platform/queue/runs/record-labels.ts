import type { Database } from '#platform/ground/database/open-database.ts'
import { type LabelFacts, updateLabelFacts } from './labels-store.ts'

/** Records what a run keeps of its labels. The caller holds the lock of the run's row. */
export const recordLabels = (tx: Database, runId: string, facts: LabelFacts) => updateLabelFacts(tx, runId, facts)
