import { foreignKey, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'

import { instant } from '#platform/ground/database/columns.ts'
import { experiments } from './experiments.ts'

export const experimentResources = pgTable(
  'experiment_resources',
  {
    id: uuid().primaryKey(),
    organizationId: uuid().notNull(),
    experimentId: text().notNull(),
    title: text().notNull(),
    url: text().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    foreignKey({
      name: 'experiment_resources_experiment',
      columns: [table.organizationId, table.experimentId],
      foreignColumns: [experiments.organizationId, experiments.id],
    }),
    index('experiment_resources_of_experiment').on(table.organizationId, table.experimentId, table.createdAt, table.id),
  ],
)
