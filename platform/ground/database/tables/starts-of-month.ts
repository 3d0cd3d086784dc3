import { sql } from 'drizzle-orm'

import { scheduleStarts } from './schedules.ts'

/** Whether the costs of a start count for the current month, which starts at midnight UTC. */
export const isOfThisMonth = sql`${scheduleStarts.startedAt} >=
  date_trunc('month', clock_timestamp() at time zone 'UTC') at time zone 'UTC'`
