import { NotificationType } from '#contract/notification-types.ts'

/** What a type of notifications is about. */
const names: Record<NotificationType, string> = {
  'run_request.finished': 'Runs finished',
  'schedule.dropped': 'Drops of the solved rate',
  'schedule.recovered': 'Recoveries of the solved rate',
  'schedule.skipped': 'Schedules that started no runs',
  'schedule.paused': 'Schedules that were paused',
  'report.mentioned': 'Mentions in comments',
  'report.commented': 'Comments on reports',
  'report.updated': 'Reports edited',
  'report.published': 'Reports published',
  'report.revoked': 'Public pages of reports revoked',
  'insight.published': 'Insights published',
  'insight.revoked': 'Published insights deleted',
  'context.suggestion.decided': 'Suggestions decided',
  'context.product.updated': 'Products changed',
  'context.use_case.updated': 'Use cases changed',
  'context.persona.updated': 'Personas changed',
  'context.agent.updated': 'Agents changed',
  'credit.posted': 'Credit added',
  'budget.spent': 'Budgets nearly or fully spent',
  'credit.withheld': 'Payments on hold',
  'webhook.stopped': 'Webhooks stopped',
  'platform.announced': 'Announcements of the operator',
}

/** All types, in the order of forms. */
export const typeOptions = Object.entries(names).map(([value, label]) => ({ value, label }))

/** A type that this page does not know keeps its own name. */
export const nameOfType = (type: string) => {
  const known = NotificationType.safeParse(type)
  return known.success ? names[known.data] : type === 'webhook.test' ? 'Test' : type
}
