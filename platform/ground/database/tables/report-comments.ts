import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'

import { instant } from '#platform/ground/database/columns.ts'
import { userReference, users } from './identity.ts'
import { reportParagraphs } from './reports.ts'

/** Comments on one paragraph. A thread exists while one of its comments is not deleted. */
export const reportThreads = pgTable(
  'report_threads',
  {
    id: uuid().primaryKey(),
    paragraphId: uuid()
      .notNull()
      .references(() => reportParagraphs.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
    resolvedBy: uuid().references(() => users.id),
    resolvedAt: instant(),
  },
  (table) => [index('report_threads_of_paragraph').on(table.paragraphId)],
)

/** `text` is canonical markdown, null after the comment was deleted. */
export const reportComments = pgTable(
  'report_comments',
  {
    id: uuid().primaryKey(),
    threadId: uuid()
      .notNull()
      .references(() => reportThreads.id, { onDelete: 'cascade' }),
    authorId: userReference(),
    text: text(),
    createdAt: instant().notNull(),
    editedAt: instant(),
  },
  (table) => [
    index('report_comments_of_thread').on(table.threadId),
    index('report_comments_of_author').on(table.authorId, table.createdAt),
  ],
)

/** The text that a thread suggests for its paragraph. `original` is the whole paragraph at that time. */
export const reportSuggestions = pgTable('report_suggestions', {
  threadId: uuid()
    .primaryKey()
    .references(() => reportThreads.id, { onDelete: 'cascade' }),
  original: text().notNull(),
  replacement: text().notNull(),
  isAccepted: boolean(),
  decidedBy: uuid().references(() => users.id),
  decidedAt: instant(),
  note: text(),
})

/** When people wrote comments in the last hour, including those that are deleted since. */
export const reportCommentTimes = pgTable(
  'report_comment_times',
  {
    commentId: uuid().primaryKey(),
    authorId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
  },
  (table) => [index('report_comment_times_of_author').on(table.authorId, table.createdAt)],
)
