import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { Micros } from '#contract/wire/micros.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import { isTimeZone, notTimeZone } from '#contract/wire/time-zone.ts'

export const UsageGroupBy = z.enum(['model', 'agent', 'experiment', 'person', 'day'])
export type UsageGroupBy = z.infer<typeof UsageGroupBy>

/** A billing cycle, or the current day and the 29 days before it. */
export const UsagePeriod = z.enum(['current', 'previous', 'last_30_days'])
export type UsagePeriod = z.infer<typeof UsagePeriod>

const count = z.int().min(0)

/** Cost on the platform's credit and on own keys is never added up by the platform. */
export const UsageCost = z.object({ runs: count, creditMicros: Micros, ownKeyMicros: Micros })
export type UsageCost = z.infer<typeof UsageCost>

export const UsageSums = UsageCost.extend({ inputTokens: count, cachedTokens: count, outputTokens: count })
export type UsageSums = z.infer<typeof UsageSums>

/** One value of the grouping. Its `key` is '' for runs without a model, and the start of the interval when grouped by day. */
export const UsageRow = UsageSums.extend({
  key: z.string(),
  label: z.string(),
  /** The same in the previous period; null when grouped by day. */
  previous: UsageCost.nullable(),
})
export type UsageRow = z.infer<typeof UsageRow>

/** The share of a row in an interval of the chart; `key` is null for all rows beyond the first seven together. */
export const UsageSegment = UsageSums.extend({ interval: count, key: z.string().nullable() })
export type UsageSegment = z.infer<typeof UsageSegment>

/** Runs that ended in [from, until) and are in the ledger: all but mock and imported runs. */
export const Usage = z.object({
  from: Timestamp,
  until: Timestamp,
  /** The previous period has the same length and ends at `from`. */
  previousFrom: Timestamp,
  timeZone: z.string(),
  groupBy: UsageGroupBy,
  /** Whose runs: the caller's for members, null for everybody's. */
  userId: z.uuid().nullable(),
  totals: UsageSums,
  previous: UsageCost,
  /** Days of the time zone; calendar months in a period of more than 92 days. The first and the last may be cut. */
  intervalUnit: z.enum(['day', 'month']),
  intervals: z.array(z.object({ from: Timestamp, until: Timestamp })),
  /** Most expensive first; days in order. */
  rows: z.array(UsageRow),
  /** The sums of the rows beyond the first 1,000. */
  rest: UsageSums.nullable(),
  segments: z.array(UsageSegment),
})
export type Usage = z.infer<typeof Usage>

const calendarDate = z.iso.date({ error: 'must be a date such as 2026-03-31' }).refine((date) => date >= '1970-01-01', {
  error: 'must not be before 1970-01-01',
})

export const maxUsageDays = 1100

export const getUsage = endpoint({
  base: '/admin/v1',
  name: 'usage.get',
  method: 'GET',
  path: '/usage',
  summary:
    'Cost, tokens and runs of a period by model, agent, experiment, person or day: of the whole organization for admins, of their own runs for members',
  query: z.object({
    groupBy: UsageGroupBy.optional(),
    period: UsagePeriod.optional(),
    from: calendarDate.optional(),
    to: calendarDate.optional(),
    timeZone: z.string().max(64).refine(isTimeZone, notTimeZone).optional(),
  }),
  response: Usage,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found'],
})
