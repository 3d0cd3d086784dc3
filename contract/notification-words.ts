import type { KnownNotification, NotificationPayload } from './notification-types.ts'
import type { RetentionKind } from './retention.ts'
import { counted } from '#contract/wire/counted.ts'
import { creditText, dollarText, paidAmount } from '#contract/wire/money-text.ts'

/** The text of a notification. `path` is that of its subject in the app, if it has a page. */
export type NotificationWords = { text: string; detail?: string | undefined; path?: string | undefined }

/** `reader`: the sentence may say "you", which is the person `readerId`. A channel has no such reader. */
type About = { subjectId: string; actor: string } & ({ to: 'reader'; readerId: string } | { to: 'channel' })

const part = encodeURIComponent

export function wordsOfNotification(
  { type, payload }: KnownNotification,
  { subjectId, actor, ...about }: About,
): NotificationWords {
  const { to } = about
  switch (type) {
    case 'context.product.updated':
    case 'context.use_case.updated':
    case 'context.persona.updated':
    case 'context.agent.updated': {
      const [, kind = ''] = type.split('.')
      return {
        text: `${payload.name} changed`,
        detail: `${kind.replace('_', ' ')}, revision ${payload.revision}: ${payload.changed_fields.join(', ')}`,
        path: `/context/${part(kind)}/${part(subjectId)}`,
      }
    }
    case 'context.suggestion.submitted':
      return {
        text: `${actor} suggests a change to ${payload.name}`,
        detail: `${payload.kind.replace('_', ' ')} ${payload.target_id}`,
        path: `/context/suggestions?suggestion=${part(subjectId)}`,
      }
    case 'context.suggestion.decided':
      return {
        text: `${to === 'reader' ? 'Your' : 'A'} suggestion for ${payload.name} was ${payload.decision}`,
        detail: payload.note ?? undefined,
        path: `/context/suggestions?suggestion=${part(subjectId)}`,
      }
    case 'run_request.finished':
      return {
        text: `${payload.experiment_name} v${payload.ordinal} finished`,
        detail: endings(payload),
        path: `/runs/${part(subjectId)}`,
      }
    case 'schedule.dropped':
      return {
        text: `${payload.name}: the solved rate dropped by ${(payload.difference * -100).toFixed(1)} points`,
        detail: `${payload.experiment_name}, more than chance explains`,
        path: startPath(subjectId, payload.run_request_id),
      }
    case 'schedule.recovered':
      return {
        text: `${payload.name}: the solved rate has recovered`,
        detail: payload.experiment_name,
        path: startPath(subjectId, payload.run_request_id),
      }
    case 'schedule.declining':
      return {
        text: `${payload.name}: the solved rate is declining`,
        detail: `${payload.experiment_name}, by ${(payload.per_start * -100).toFixed(1)} points per start over ${payload.starts} starts`,
        path: `/schedules/${part(subjectId)}`,
      }
    case 'schedule.skipped':
      return {
        text: `The schedule “${payload.name}” submitted no runs`,
        detail: payload.reason,
        path: `/schedules/${part(subjectId)}`,
      }
    case 'schedule.paused':
      return {
        text: `The schedule “${payload.name}” was paused`,
        detail: payload.reason,
        path: `/schedules/${part(subjectId)}`,
      }
    case 'insight.published':
      return {
        text: `${actor} published ${payload.heading}`,
        detail: 'Anyone with its link can see it',
        path: `/insights/${part(subjectId)}`,
      }
    case 'insight.revoked':
      return { text: `${actor} deleted ${payload.heading}`, detail: 'Its public link no longer works' }
    case 'report.published':
      return {
        text: payload.is_update ? `${actor} published ${payload.title} again` : `${actor} published ${payload.title}`,
        detail: 'Anyone with its link can see it',
        path: `/reports/${part(subjectId)}`,
      }
    case 'report.revoked':
      return { text: `${actor} revoked the public page of ${payload.title}`, detail: 'Its public link no longer works' }
    case 'report.updated':
      return { text: `${actor} edited ${payload.title}`, path: `/reports/${part(subjectId)}` }
    case 'report.commented':
      return { text: `${actor} commented on ${payload.title}`, path: commentPath(subjectId, payload.comment_id) }
    case 'report.mentioned':
      return {
        text: `${actor} mentioned ${to === 'reader' ? 'you' : 'someone'} in a comment on ${payload.title}`,
        path: commentPath(subjectId, payload.comment_id),
      }
    case 'credit.posted':
      return {
        text: `${creditText(payload.amount_micros)} credit added`,
        detail: payload.origin === 'top_up' ? 'Top-up' : 'Granted by the operator',
        path: '/credits',
      }
    case 'credit.withheld': {
      const paid = paidAmount({ amount: payload.paid_amount, currency: payload.paid_currency })
      return {
        text: payload.decision === 'rejected' ? `A payment of ${paid} was rejected` : `A payment of ${paid} is on hold`,
        detail: `Expected ${creditText(payload.asked_micros)}; ${payload.decision === 'pending' ? 'on hold until the operator decides' : 'no credit was added'}`,
        path: '/credits',
      }
    }
    case 'budget.spent':
      return {
        text: `${payload.percent} % of the monthly budget ${budgetOf(payload)} is spent`,
        detail: `${dollarText(payload.spent_usd)} of ${dollarText(payload.limit_usd)}${payload.is_hard && payload.percent >= 100 ? '; new runs are refused' : ''}`,
        path: '/credits',
      }
    case 'retention.tightened':
      return {
        text: `${actor} changed retention: it removes more from ${removalTime(payload.removes_from)}`,
        detail: removalsOf(payload),
        path: '/settings/retention',
      }
    case 'platform.announced':
      return { text: payload.title, detail: payload.message || undefined }
    case 'webhook.stopped':
      return {
        text: `The webhook ${payload.name} was stopped`,
        detail: stopReasons[payload.reason],
        path: '/settings/webhooks',
      }
    case 'mail.stopped': {
      const isReader = about.to === 'reader' && about.readerId === payload.person_id
      return {
        text: `Email to ${isReader ? 'you' : payload.person_name} was stopped`,
        detail: 'A mail server refused the address',
        path: isReader ? '/settings/notifications' : '/settings/mail',
      }
    }
  }
}

const stopReasons = {
  failing: 'Every attempt failed for three days',
  gone: 'The receiver answered 410 Gone',
  full: 'Too many deliveries waited',
}

const retentionSubjects: Record<RetentionKind, string> = {
  transcripts: 'transcripts',
  outputs: 'the output of tests',
  changes: 'changed files',
  runs: 'whole runs',
  notifications: 'notifications',
  deliveries: 'delivery logs',
}

type Tightened = NotificationPayload<'retention.tightened'>

/** `whole runs after 30 days (before: never); 1 experiment is no longer kept`. */
const removalsOf = ({ shorter, released_experiments: released }: Tightened) =>
  [
    ...shorter.map(
      ({ kind, days, days_before }) =>
        `${retentionSubjects[kind]} after ${days} days (before: ${days_before ?? 'never'})`,
    ),
    ...(released > 0 ? [`${counted(released, 'experiment')} ${released === 1 ? 'is' : 'are'} no longer kept`] : []),
  ].join('; ')

/** In UTC, because the words also go into chats and email. */
const removalTime = (at: string) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(at)) +
  ' UTC'

const budgetOf = ({ scope, label }: { scope: string; label: string }) =>
  scope === 'organization' ? 'of the organization' : `of ${label}`

const startPath = (scheduleId: string, requestId: string | null) =>
  requestId === null ? `/schedules/${part(scheduleId)}` : `/runs/${part(requestId)}`

const commentPath = (reportId: string, commentId: string) =>
  `/reports/${part(reportId)}/read#comment-${part(commentId)}`

const whyStopped = {
  decided: 'stopped early, because its question was decided',
  money: 'stopped at its end in dollars',
}

const endings = ({ solved, stopped, ...counts }: NotificationPayload<'run_request.finished'>) =>
  [
    stopped !== undefined && whyStopped[stopped],
    solved !== undefined && solved.runs > 0 && `solved ${solved.solved} of ${counted(solved.runs, 'run')}`,
    counts.completed > 0 && `${counted(counts.completed, 'run')} completed`,
    counts.errored > 0 && `${counts.errored} errored`,
    counts.canceled > 0 && `${counts.canceled} canceled`,
  ]
    .filter((ending) => ending !== false)
    .join(', ')
