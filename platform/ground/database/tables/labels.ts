import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

import type { LabelKind } from '#contract/labels.ts'
import { instant } from '#platform/ground/database/columns.ts'
import { organizationReference, userReference } from './identity.ts'
import { runs } from './runs.ts'

/** What people say about a run, one of its tests, or a turn of its transcript. */
export const labels = pgTable(
  'labels',
  {
    id: uuid().primaryKey(),
    organizationId: organizationReference(),
    runId: uuid()
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    /** The place of its row in the analytics engine. Another label of the run gets it after a removal. */
    slot: integer().notNull(),
    kind: text().$type<LabelKind>().notNull(),
    /** The name of a tag, the text of a note, or the reason of a dispute. */
    text: text().notNull(),
    /** The outcome that a dispute claims. */
    claimedOutcome: text().$type<'solved' | 'unsolved'>(),
    testName: text(),
    turn: integer(),
    createdBy: userReference(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex('labels_slot').on(table.runId, table.slot),
    index('labels_tags')
      .on(table.organizationId, table.text, table.runId)
      .where(sql`${table.kind} = 'tag'`),
  ],
)
