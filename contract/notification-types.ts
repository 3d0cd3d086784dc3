import { z } from 'zod'

import { SolvedCounts } from './outcomes.ts'
import { RetentionKind } from './retention.ts'
import { StopReason } from './until-decided.ts'
import { Micros } from '#contract/wire/micros.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

/** A change to a shared Context record; `suggestion_id` is set if it came from an accepted suggestion. */
const ContextChange = z.object({
  name: z.string(),
  revision: z.int(),
  changed_fields: z.array(z.string()),
  suggestion_id: z.string().nullable(),
})

const InsightChange = z.object({ heading: z.string(), slug: z.string() })

const ReportCommentNews = z.object({ title: z.string(), comment_id: z.string() })

const ScheduleNews = z.object({ name: z.string(), experiment_id: z.string(), experiment_name: z.string() })

/** `difference` of the solved rate, as a share. */
const ScheduleVerdict = ScheduleNews.extend({
  run_request_id: z.string().nullable(),
  baseline_request_id: z.string().nullable(),
  difference: z.number(),
})

/** The payload of every `type` that we write. Clients ignore types and fields they do not know. */
const notificationPayloads = {
  'context.product.updated': ContextChange,
  'context.use_case.updated': ContextChange,
  'context.persona.updated': ContextChange,
  'context.agent.updated': ContextChange,
  /** For admins, who decide it. */
  'context.suggestion.submitted': z.object({ kind: z.string(), target_id: z.string(), name: z.string() }),
  'context.suggestion.decided': z.object({
    decision: z.enum(['accepted', 'rejected']),
    kind: z.string(),
    target_id: z.string(),
    name: z.string(),
    note: z.string().nullable(),
  }),
  /** The number of runs of a request by final status. */
  'run_request.finished': z.object({
    experiment_id: z.string(),
    experiment_name: z.string(),
    ordinal: z.int(),
    completed: z.int(),
    errored: z.int(),
    canceled: z.int(),
    /** How many of the runs that count are solved. Absent in older notices. */
    solved: SolvedCounts.optional(),
    /** Why it stopped before its end. Absent if it did not. */
    stopped: StopReason.optional(),
  }),
  /** A start failed its gate: the solved rate dropped by more than chance explains, and did so when it was run again. */
  'schedule.dropped': ScheduleVerdict,
  /** The first start after a drop that passes its gate. */
  'schedule.recovered': ScheduleVerdict,
  /** The solved rate falls slowly over several starts: `per_start` is a share. */
  'schedule.declining': ScheduleNews.extend({ since: Timestamp, starts: z.int(), per_start: z.number() }),
  'schedule.skipped': ScheduleNews.extend({ reason: z.string() }),
  'schedule.paused': ScheduleNews.extend({ reason: z.string() }),
  'insight.published': InsightChange,
  'insight.revoked': InsightChange,
  'report.published': z.object({ title: z.string(), is_update: z.boolean() }),
  'report.revoked': z.object({ title: z.string() }),
  'report.updated': z.object({ title: z.string() }),
  'report.commented': ReportCommentNews,
  /** A comment mentions the reader. */
  'report.mentioned': ReportCommentNews,
  'credit.posted': z.object({ amount_micros: Micros, origin: z.enum(['top_up', 'grant']) }),
  /** A payment that differs from the amount requested; `paid_amount` is in the smallest unit of the currency. */
  'credit.withheld': z.object({
    asked_micros: Micros,
    paid_amount: z.string(),
    paid_currency: z.string(),
    decision: z.enum(['pending', 'rejected']),
  }),
  /** A budget reached the percentage of its warning, or its limit. Amounts are US dollars. */
  'budget.spent': z.object({
    scope: z.enum(['organization', 'person', 'experiment', 'provider']),
    label: z.string(),
    percent: z.int(),
    spent_usd: z.number(),
    limit_usd: z.number(),
    forecast_usd: z.number(),
    is_hard: z.boolean(),
  }),
  /** New rules remove more than the old ones, from `removes_from`. `days_before` is null where nothing was removed before. */
  'retention.tightened': z.object({
    shorter: z.array(z.object({ kind: RetentionKind, days: z.int(), days_before: z.int().nullable() })),
    /** How many experiments are no longer kept whole. */
    released_experiments: z.int(),
    removes_from: z.string(),
  }),
  'platform.announced': z.object({ title: z.string(), message: z.string() }),
  /** Nothing more is sent to a webhook: it failed for days, answered that it is gone, or was too slow. */
  'webhook.stopped': z.object({ name: z.string(), reason: z.enum(['failing', 'gone', 'full']) }),
  /** A mail server refused the address of a person for good. */
  'mail.stopped': z.object({ person_id: z.string(), person_name: z.string() }),
} as const satisfies Record<string, z.ZodObject>

export type NotificationType = keyof typeof notificationPayloads
export const NotificationType = z.enum(Object.keys(notificationPayloads) as NotificationType[])
export type NotificationPayload<Type extends NotificationType> = z.output<(typeof notificationPayloads)[Type]>

/** A notification's type with its payload. */
export type KnownNotification = {
  [Type in NotificationType]: { type: Type; payload: NotificationPayload<Type> }
}[NotificationType]

/** Returns null for an unknown type, or if the payload does not match its type. */
export function readNotification({ type, payload }: { type: string; payload: unknown }): KnownNotification | null {
  if (!Object.hasOwn(notificationPayloads, type)) return null
  const known = type as NotificationType
  const parsed = notificationPayloads[known].safeParse(payload)
  // The type determines the schema, but TypeScript does not see that through the table.
  return parsed.success ? ({ type: known, payload: parsed.data } as KnownNotification) : null
}
