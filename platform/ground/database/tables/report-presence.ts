import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import { instant } from '#platform/ground/database/columns.ts'
import { userReference } from './identity.ts'
import { reports } from './reports.ts'

/** Who has a report open, and the paragraph of their cursor. A row counts for some seconds after `seenAt`. */
export const reportPresence = pgTable(
  'report_presence',
  {
    reportId: uuid()
      .notNull()
      .references(() => reports.id, { onDelete: 'cascade' }),
    userId: userReference(),
    quote: text(),
    position: integer(),
    seenAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.reportId, table.userId] })],
)
