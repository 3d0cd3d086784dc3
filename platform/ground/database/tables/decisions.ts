import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, uuid } from 'drizzle-orm/pg-core'

import type { Decision, DecisionDesign, Verdict } from '#contract/until-decided.ts'
import { instant } from '#platform/ground/database/columns.ts'
import { runRequests } from './runs.ts'

/** A request that stops when its question is decided. Its design is written with the request and never changed. */
export const decisions = pgTable(
  'decisions',
  {
    requestId: uuid()
      .primaryKey()
      .references(() => runRequests.id, { onDelete: 'cascade' }),
    design: jsonb().$type<DecisionDesign>().notNull(),
    /** Why no further run starts, once none does. */
    stopped: jsonb().$type<NonNullable<Decision['stopped']>>(),
    verdict: jsonb().$type<Verdict>(),
    /** When all runs had ended and the verdict was final. */
    closedAt: instant(),
  },
  (table) => [
    index('decisions_open')
      .on(table.requestId)
      .where(sql`${table.closedAt} is null`),
  ],
)
