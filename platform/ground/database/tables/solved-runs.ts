import { sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

import { infrastructureCauses, isOfDefinition } from '#contract/infrastructure.ts'
import type { RunEnding } from '#contract/run-endings.ts'
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

/** Why the definition, and not the platform, kept the agent from starting. */
const neverStarted = sql.join(
  infrastructureCauses.filter(isOfDefinition).map((cause) => sql`${cause}`),
  sql`, `,
)

/** `RunEnding` of contract/run-endings.ts in SQL; null for a run that has not finished. */
export const endingOfRun = sql<RunEnding | null>`(case
  when ${runs.endedAt} is null then null
  when ${runs.disputed} then 'disputed'
  when ${runs.infrastructureCause} in (${neverStarted}) then 'never_started'
  when ${leftOutOf(runs)} then 'infrastructure'
  when ${runs.status} = 'canceled' then 'canceled'
  when ${solvedOf(runs)} is null then 'untested'
  when ${solvedOf(runs)} then 'solved'
  when ${runs.timeLimitHit} then 'timed_out'
  else 'failed' end)`

export const isLeftOut = leftOutOf(runs)
export const isSolved = solvedOf(runs)
