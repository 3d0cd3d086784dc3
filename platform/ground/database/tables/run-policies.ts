import { jsonb, pgTable, uuid } from 'drizzle-orm/pg-core'

import type { ModelRules } from '#contract/model-rules.ts'
import type { RunRules } from '#contract/run-policy.ts'
import { instant } from '#platform/ground/database/columns.ts'
import { organizations } from './identity.ts'

/** The rules as they were named first: today `listed` is `allowed`, and refused hosts are blocked hosts. */
export type StoredRules = Omit<RunRules, 'network' | 'images' | 'blockedHosts' | keyof ModelRules> &
  Partial<ModelRules> & {
    network: 'none' | 'listed' | 'public'
    images: 'none' | 'listed' | 'any'
    refusedHosts: string[]
  }

/** An organization without a row has no rules. */
export const runPolicies = pgTable('run_policies', {
  organizationId: uuid()
    .primaryKey()
    .references(() => organizations.id),
  rules: jsonb().$type<StoredRules>().notNull(),
  updatedAt: instant().notNull(),
})
