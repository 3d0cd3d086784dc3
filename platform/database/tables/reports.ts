import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import { instant } from './columns.ts'
import { organizations, users } from './identity.ts'

/** `bodyMarkdown` is canonical; '' is no body, null no description. */
export const reports = pgTable(
  'reports',
  {
    id: uuid().primaryKey(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id),
    title: text().notNull(),
    description: text(),
    bodyMarkdown: text().notNull(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id),
    updatedBy: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [index('reports_newest').on(table.organizationId, table.updatedAt)],
)

/** When the organization's reports last changed. Every write takes this row first, so that stamps grow in the order of commits. */
export const reportClocks = pgTable('report_clocks', {
  organizationId: uuid()
    .primaryKey()
    .references(() => organizations.id),
  changedAt: instant().notNull(),
})

const ofReport = () =>
  uuid()
    .notNull()
    .references(() => reports.id, { onDelete: 'cascade' })

/** When a report changed, back to a day before its last change: where it stood in a list that is being paged through. */
export const reportChanges = pgTable(
  'report_changes',
  { reportId: ofReport(), changedAt: instant().notNull() },
  (table) => [primaryKey({ columns: [table.reportId, table.changedAt] })],
)

/** Which insights a report's body cites, by the ref it cites them with; they need not exist. */
export const reportFindings = pgTable(
  'report_findings',
  { reportId: ofReport(), insightRef: text().notNull() },
  (table) => [
    primaryKey({ columns: [table.reportId, table.insightRef] }),
    index('report_findings_of_insight').on(table.insightRef),
  ],
)

/** Everybody who ever wrote on a report: whom others' changes concern. */
export const reportWriters = pgTable(
  'report_writers',
  {
    reportId: ofReport(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
  },
  (table) => [primaryKey({ columns: [table.reportId, table.userId] })],
)
