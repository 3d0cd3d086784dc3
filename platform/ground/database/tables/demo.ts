import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

import { organizationReference } from './identity.ts'

export type DemoKind =
  | 'organization'
  | 'experiment'
  | 'version'
  | 'request'
  | 'insight'
  | 'report'
  | 'comment'
  | 'secret'
  | 'record'
  | 'suggestion'
  | 'announcement'

/**
 * What the demo made, so that it is made once and removed without the work of people. `name` is the demo's own name for
 * it. `state` is its revision or time of change when the demo made it: a later one means that a person changed it.
 * Removing the demo leaves only the row of the organization, with the state `removed`.
 */
export const demoItems = pgTable(
  'demo_items',
  {
    organizationId: organizationReference(),
    kind: text().$type<DemoKind>().notNull(),
    name: text().notNull(),
    itemId: text().notNull(),
    state: text(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.kind, table.name] })],
)
