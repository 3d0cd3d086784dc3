import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

import type { ImageType } from '#contract/report-images.ts'
import { instant } from '#platform/ground/database/columns.ts'
import { organizationReference, organizations, userReference, users } from './identity.ts'

/** `bodyMarkdown` is canonical. '' means no body, null no description. */
export const reports = pgTable(
  'reports',
  {
    id: uuid().primaryKey(),
    organizationId: organizationReference(),
    title: text().notNull(),
    description: text(),
    bodyMarkdown: text().notNull(),
    createdBy: userReference(),
    updatedBy: userReference(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [index('reports_newest').on(table.organizationId, table.updatedAt)],
)

/**
 * The time of an organization's latest report change. Every write locks this row first, so that times increase in
 * commit order.
 */
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

/**
 * The times of a report's changes in the day before its last one, which give its earlier positions in a list being
 * paged.
 */
export const reportChanges = pgTable(
  'report_changes',
  { reportId: ofReport(), changedAt: instant().notNull() },
  (table) => [primaryKey({ columns: [table.reportId, table.changedAt] })],
)

/** The insights that a report's body cites, by the ref in the text. They need not exist. */
export const reportFindings = pgTable(
  'report_findings',
  { reportId: ofReport(), insightRef: text().notNull() },
  (table) => [
    primaryKey({ columns: [table.reportId, table.insightRef] }),
    index('report_findings_of_insight').on(table.insightRef),
  ],
)

/** Everyone who ever wrote on a report, and so is notified of others' changes. */
export const reportWriters = pgTable(
  'report_writers',
  {
    reportId: ofReport(),
    userId: userReference(),
  },
  (table) => [primaryKey({ columns: [table.reportId, table.userId] })],
)

/**
 * Images of reports, and the data of their pinned figures (`application/json`, without a width and a height); the bytes
 * are blobs. `sha256` is of the stored bytes. `unusedSince` is when the file was last added, or last left a report. A
 * row with `removedAt` only remembers a blob that is still to be deleted. `pinnedBy` is null for an image.
 */
export const reportImages = pgTable(
  'report_images',
  {
    id: uuid().primaryKey(),
    organizationId: organizationReference(),
    sha256: text().notNull(),
    type: text().$type<ImageType | 'application/json'>().notNull(),
    width: integer(),
    height: integer(),
    sizeBytes: integer().notNull(),
    pinnedBy: uuid().references(() => users.id),
    unusedSince: instant().notNull(),
    removedAt: instant(),
  },
  (table) => [
    index('report_images_size').on(table.organizationId, table.sizeBytes),
    index('report_images_pinned').on(table.organizationId, table.pinnedBy),
    uniqueIndex('report_images_content')
      .on(table.organizationId, table.sha256)
      .where(sql`${table.removedAt} is null`),
  ],
)

/** The images and pinned figures that a report's body shows. */
export const reportImageUses = pgTable(
  'report_image_uses',
  {
    reportId: ofReport(),
    imageId: uuid()
      .notNull()
      .references(() => reportImages.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.reportId, table.imageId] }),
    index('report_image_uses_of_image').on(table.imageId),
  ],
)

/** Earlier texts of reports. The newest has the text of now. */
export const reportVersions = pgTable(
  'report_versions',
  {
    id: uuid().primaryKey(),
    reportId: ofReport(),
    title: text().notNull(),
    description: text(),
    bodyMarkdown: text().notNull(),
    savedBy: userReference(),
    startedAt: instant().notNull(),
    savedAt: instant().notNull(),
  },
  (table) => [index('report_versions_of_report').on(table.reportId, table.savedAt)],
)

/** The images and pinned figures that a version shows, so that they are kept as long. */
export const reportVersionFiles = pgTable(
  'report_version_files',
  {
    versionId: uuid()
      .notNull()
      .references(() => reportVersions.id, { onDelete: 'cascade' }),
    fileId: uuid()
      .notNull()
      .references(() => reportImages.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.versionId, table.fileId] }),
    index('report_version_files_of_file').on(table.fileId),
  ],
)

/**
 * Paragraphs of reports that comments are on. Every write of the body moves them. A paragraph that is gone keeps its
 * last text and position.
 */
export const reportParagraphs = pgTable(
  'report_paragraphs',
  { id: uuid().primaryKey(), reportId: ofReport(), quote: text().notNull(), position: integer().notNull() },
  (table) => [index('report_paragraphs_of_report').on(table.reportId)],
)
