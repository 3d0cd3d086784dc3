import { z } from 'zod'

import { NotificationType } from './notification-types.ts'

/** When a person gets a notification by email. `digest`: once a day, with others. */
export const EmailTiming = z.enum(['now', 'digest', 'off'])
export type EmailTiming = z.infer<typeof EmailTiming>

type NotificationTypeInfo = {
  /** The name of the type, for a heading or a choice. */
  name: string
  /** Until a person chooses: by email comes what asks for them. */
  email: EmailTiming
}

/** Every type, in the order of forms. */
const types: Record<NotificationType, NotificationTypeInfo> = {
  'run_request.finished': { name: 'Runs finished', email: 'now' },
  'schedule.dropped': { name: 'Drops in solved rate', email: 'now' },
  'schedule.recovered': { name: 'Recoveries in solved rate', email: 'digest' },
  'schedule.declining': { name: 'Declines in solved rate', email: 'now' },
  'schedule.skipped': { name: 'Schedules skipped', email: 'now' },
  'schedule.paused': { name: 'Schedules paused', email: 'now' },
  'report.mentioned': { name: 'Mentions in comments', email: 'now' },
  'report.commented': { name: 'Comments on reports', email: 'now' },
  'report.updated': { name: 'Reports edited', email: 'off' },
  'report.published': { name: 'Reports published', email: 'off' },
  'report.revoked': { name: 'Public pages of reports revoked', email: 'off' },
  'insight.published': { name: 'Insights published', email: 'off' },
  'insight.revoked': { name: 'Published insights deleted', email: 'off' },
  'context.suggestion.submitted': { name: 'Suggestions awaiting a decision', email: 'digest' },
  'context.suggestion.decided': { name: 'Suggestions decided', email: 'digest' },
  'context.product.updated': { name: 'Products changed', email: 'off' },
  'context.use_case.updated': { name: 'Use cases changed', email: 'off' },
  'context.persona.updated': { name: 'Personas changed', email: 'off' },
  'context.agent.updated': { name: 'Agents changed', email: 'off' },
  'credit.posted': { name: 'Credit added', email: 'off' },
  'budget.spent': { name: 'Budgets nearly or fully spent', email: 'now' },
  'credit.withheld': { name: 'Payments on hold', email: 'now' },
  'retention.tightened': { name: 'Retention removes more', email: 'now' },
  'webhook.stopped': { name: 'Webhooks stopped', email: 'now' },
  'mail.stopped': { name: 'Email stopped', email: 'off' },
  'platform.announced': { name: 'Announcements from the operator', email: 'now' },
}

export const notificationTypes = Object.keys(types) as NotificationType[]

export const nameOfNotificationType = (type: NotificationType) => types[type].name

export const defaultTiming = (type: NotificationType) => types[type].email

/** A person's choice for one type. */
export const NotificationChoice = z.object({ type: NotificationType, inApp: z.boolean(), email: EmailTiming })
export type NotificationChoice = z.infer<typeof NotificationChoice>
