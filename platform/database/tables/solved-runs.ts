import { sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

import { runs } from './runs.ts'

type Columns = Record<
  'status' | 'infrastructureCause' | 'testsPassed' | 'testsFailed' | 'testsUnresolved' | 'testsErrored',
  AnyPgColumn
>

/** `isLeftOut` of contract/infrastructure.ts in SQL, for the table `runs` or an alias of it. */
export const leftOutOf = ({ infrastructureCause }: Columns) => sql<boolean>`(${infrastructureCause} is not null)`

/** `isSolved` of contract/outcomes.ts in SQL: true, false, or null for a run that counts for nothing. */
export function solvedOf(of: Columns) {
  const notPassed = sql`(${of.testsFailed} + ${of.testsUnresolved} + ${of.testsErrored})`
  return sql<boolean | null>`(case
  when ${of.status} = 'canceled' or ${leftOutOf(of)} then null
  when ${of.testsPassed} + ${notPassed} = 0 then case when ${of.status} = 'errored' then false end
  else ${notPassed} = 0 end)`
}

export const isLeftOut = leftOutOf(runs)
export const isSolved = solvedOf(runs)
