import { z } from 'zod'

import { NotificationType } from './notification-types.ts'

/** When a person gets a notification by email. `digest`: once a day, with others. */
export const MailTiming = z.enum(['now', 'digest', 'off'])
export type MailTiming = z.infer<typeof MailTiming>

type TypeOfNotices = {
  /** The name of the type, for a heading or a choice. */
  name: string
  /** Until a person chooses: by email comes what asks for them. */
  mail: MailTiming
}

/** Every type, in the order of forms. */
const types: Record<NotificationType, TypeOfNotices> = {
  'run_request.finished': { name: 'Runs finished', mail: 'now' },
  'schedule.dropped': { name: 'Drops of the solved rate', mail: 'now' },
  'schedule.recovered': { name: 'Recoveries of the solved rate', mail: 'digest' },
  'schedule.skipped': { name: 'Schedules that started no runs', mail: 'now' },
  'schedule.paused': { name: 'Schedules that were paused', mail: 'now' },
  'report.mentioned': { name: 'Mentions in comments', mail: 'now' },
  'report.commented': { name: 'Comments on reports', mail: 'now' },
  'report.updated': { name: 'Reports edited', mail: 'off' },
  'report.published': { name: 'Reports published', mail: 'off' },
  'report.revoked': { name: 'Public pages of reports revoked', mail: 'off' },
  'insight.published': { name: 'Insights published', mail: 'off' },
  'insight.revoked': { name: 'Published insights deleted', mail: 'off' },
  'context.suggestion.submitted': { name: 'Suggestions to decide', mail: 'digest' },
  'context.suggestion.decided': { name: 'Suggestions decided', mail: 'digest' },
  'context.product.updated': { name: 'Products changed', mail: 'off' },
  'context.use_case.updated': { name: 'Use cases changed', mail: 'off' },
  'context.persona.updated': { name: 'Personas changed', mail: 'off' },
  'context.agent.updated': { name: 'Agents changed', mail: 'off' },
  'credit.posted': { name: 'Credit added', mail: 'off' },
  'budget.spent': { name: 'Budgets nearly or fully spent', mail: 'now' },
  'credit.withheld': { name: 'Payments on hold', mail: 'now' },
  'webhook.stopped': { name: 'Webhooks stopped', mail: 'now' },
  'mail.stopped': { name: 'Email stopped', mail: 'off' },
  'platform.announced': { name: 'Announcements of the operator', mail: 'now' },
}

export const notificationTypes = Object.keys(types) as NotificationType[]

export const nameOfNotificationType = (type: NotificationType) => types[type].name

export const usualTiming = (type: NotificationType) => types[type].mail

/** A person's choice for one type. */
export const NotificationChoice = z.object({ type: NotificationType, inApp: z.boolean(), mail: MailTiming })
export type NotificationChoice = z.infer<typeof NotificationChoice>
