import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import type { Presentation, Provenance } from '#contract/insight-fields.ts'
import { instant } from '#platform/ground/database/columns.ts'
import { organizationReference, userReference } from './identity.ts'
import { insights } from './insights.ts'
import { reportImages, reports } from './reports.ts'

/**
 * The public view of an insight, frozen at the first share and deleted with its insight. The token is derived from `id`
 * with the installation's key `keyId` and not stored; `tokenHash`, its SHA-256, finds the row.
 */
export const publications = pgTable('publications', {
  id: uuid().primaryKey(),
  insightId: text()
    .notNull()
    .unique()
    .references(() => insights.id, { onDelete: 'cascade' }),
  organizationId: organizationReference(),
  tokenHash: text().notNull().unique(),
  keyId: text().notNull(),
  heading: text().notNull(),
  sql: text().notNull(),
  description: text(),
  presentation: jsonb().$type<Presentation>(),
  provenance: text().$type<Provenance['kind']>().notNull(),
  experimentId: text(),
  runId: text(),
  includeTestAware: boolean().notNull(),
  publishedBy: userReference(),
  publishedAt: instant().notNull(),
})

/**
 * The public page of a report, as it was drawn when it was published last: `document` is a `PublishedDocument` as JSON.
 * `version` is the `updatedAt` of the report that it shows. The token is derived as that of an insight.
 */
export const reportPublications = pgTable(
  'report_publications',
  {
    id: uuid().primaryKey(),
    reportId: uuid()
      .notNull()
      .unique()
      .references(() => reports.id, { onDelete: 'cascade' }),
    organizationId: organizationReference(),
    tokenHash: text().notNull().unique(),
    keyId: text().notNull(),
    title: text().notNull(),
    description: text(),
    author: text().notNull(),
    document: text().notNull(),
    version: instant().notNull(),
    publishedBy: userReference(),
    publishedAt: instant().notNull(),
  },
  (table) => [index('report_publications_of_organization').on(table.organizationId)],
)

/** The images of a public page, by their places in it. */
export const reportPublicationImages = pgTable(
  'report_publication_images',
  {
    publicationId: uuid()
      .notNull()
      .references(() => reportPublications.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    imageId: uuid()
      .notNull()
      .references(() => reportImages.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.publicationId, table.position] }),
    index('report_publication_images_of_image').on(table.imageId),
  ],
)
