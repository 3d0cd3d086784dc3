import { jsonb, pgTable, uuid } from 'drizzle-orm/pg-core'

import type { RunRules } from '#contract/run-policy.ts'
import { instant } from '#platform/database/columns.ts'
import { organizations } from './identity.ts'

/** An organization without a row has no rules. */
export const runPolicies = pgTable('run_policies', {
  organizationId: uuid()
    .primaryKey()
    .references(() => organizations.id),
  rules: jsonb().$type<RunRules>().notNull(),
  updatedAt: instant().notNull(),
})
