import { boolean, doublePrecision, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'

import type { BudgetScope } from '#contract/budgets.ts'
import { instant } from '#platform/ground/database/columns.ts'
import { organizationReference } from './identity.ts'

export const budgets = pgTable(
  'budgets',
  {
    id: uuid().primaryKey(),
    organizationId: organizationReference(),
    scope: text().$type<BudgetScope>().notNull(),
    /** The id of the person or the experiment; '' for the organization, so that it is unique too. */
    key: text().notNull(),
    monthlyLimitUsd: doublePrecision().notNull(),
    isHard: boolean().notNull(),
    warnAtPercent: integer().notNull(),
    updatedAt: instant().notNull(),
    /** The start of the month of the last warning, and the percentage that it told. */
    warnedMonth: instant(),
    warnedPercent: integer(),
  },
  (table) => [unique('budgets_scope').on(table.organizationId, table.scope, table.key)],
)
