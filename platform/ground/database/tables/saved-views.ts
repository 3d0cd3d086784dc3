import { boolean, index, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'

import type { SavedViewPage } from '#contract/saved-views.ts'
import { instant } from '#platform/ground/database/columns.ts'
import { organizationReference, userReference } from './identity.ts'

export const savedViews = pgTable(
  'saved_views',
  {
    id: uuid().primaryKey(),
    organizationId: organizationReference(),
    name: text().notNull(),
    page: text().$type<SavedViewPage>().notNull(),
    /** Empty for pages of no experiment, so that names are unique there too. */
    experimentId: text().notNull(),
    query: text().notNull(),
    isShared: boolean().notNull(),
    createdBy: userReference(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    unique('saved_views_name').on(table.organizationId, table.createdBy, table.page, table.experimentId, table.name),
    index('saved_views_shared').on(table.organizationId, table.page, table.experimentId),
  ],
)

export const favoriteViews = pgTable(
  'favorite_views',
  {
    viewId: uuid()
      .notNull()
      .references(() => savedViews.id, { onDelete: 'cascade' }),
    userId: userReference(),
  },
  (table) => [primaryKey({ columns: [table.viewId, table.userId] })],
)

/** At most one view of each page opens by default for a person. */
export const defaultViews = pgTable(
  'default_views',
  {
    organizationId: organizationReference(),
    userId: userReference(),
    page: text().$type<SavedViewPage>().notNull(),
    experimentId: text().notNull(),
    viewId: uuid()
      .notNull()
      .references(() => savedViews.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.userId, table.page, table.experimentId] }),
    index('default_views_view').on(table.viewId),
  ],
)
