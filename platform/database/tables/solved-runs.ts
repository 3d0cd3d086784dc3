import { sql } from 'drizzle-orm'

import { runs } from './runs.ts'

const notPassed = sql`(${runs.testsFailed} + ${runs.testsUnresolved} + ${runs.testsErrored})`

/** `isLeftOut` of contract/infrastructure.ts in SQL. */
export const isLeftOut = sql<boolean>`(${runs.infrastructureCause} is not null)`

/** `isSolved` of contract/outcomes.ts in SQL: true, false, or null for a run that counts for nothing. */
export const isSolved = sql<boolean | null>`(case
  when ${runs.status} = 'canceled' or ${isLeftOut} then null
  when ${runs.testsPassed} + ${notPassed} = 0 then case when ${runs.status} = 'errored' then false end
  else ${notPassed} = 0 end)`
