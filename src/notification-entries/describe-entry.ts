import { readNotification } from '#contract/notification-types.ts'
import { wordsOfNotification } from '#contract/notification-words.ts'
import type { NotificationEntry } from '#contract/notifications.ts'

/** The text of an entry. `href` links to its subject, if it has a page. */
export type EntryWords = { text: string; detail?: string | undefined; href?: string | undefined }

/** An unknown type is shown as its name and subject. */
export function describeEntry(entry: NotificationEntry): EntryWords {
  const known = readNotification(entry)
  if (!known) return { text: entry.type, detail: `${entry.subject.type} ${entry.subject.id}` }
  const about = { subjectId: entry.subject.id, actor: entry.actor?.name ?? 'Someone', to: 'reader' } as const
  const { path, ...words } = wordsOfNotification(known, about)
  return { ...words, ...(path !== undefined && { href: path }) }
}

type About = { subjectId: string; actor: string }

function describeKnown({ type, payload }: KnownNotification, { subjectId, actor }: About): EntryWords {
  switch (type) {
    case 'context.product.updated':
    case 'context.use_case.updated':
    case 'context.persona.updated':
    case 'context.agent.updated': {
      const [, kind = ''] = type.split('.')
      return {
        text: `${payload.name} changed`,
        detail: `${kind.replace('_', ' ')}, revision ${payload.revision}: ${payload.changed_fields.join(', ')}`,
        href: paths.contextRecord({ kind, id: subjectId }),
      }
    }
    case 'context.suggestion.decided':
      return {
        text: `Your suggestion for ${payload.name} was ${payload.decision}`,
        detail: payload.note ?? undefined,
        href: paths.context({ suggestion: subjectId }),
      }
    case 'run_request.finished':
      return {
        text: `${payload.experiment_name} v${payload.ordinal} finished`,
        detail: endings(payload),
        href: paths.run(subjectId),
      }
    case 'schedule.dropped':
      return {
        text: `${payload.name}: the solved rate dropped by ${(payload.difference * -100).toFixed(1)} points`,
        detail: `${payload.experiment_name}, more than chance explains`,
        href: hrefOfStart(payload),
      }
    case 'schedule.recovered':
      return {
        text: `${payload.name}: the solved rate has recovered`,
        detail: payload.experiment_name,
        href: hrefOfStart(payload),
      }
    case 'schedule.skipped':
      return {
        text: `${payload.name} started no runs`,
        detail: payload.reason,
        href: paths.experiment(payload.experiment_id, 'schedules'),
      }
    case 'schedule.paused':
      return {
        text: `${payload.name} is paused`,
        detail: payload.reason,
        href: paths.experiment(payload.experiment_id, 'schedules'),
      }
    case 'insight.published':
      return {
        text: `${actor} published ${payload.heading}`,
        detail: 'Anyone with its link can see it',
        href: paths.insight(subjectId),
      }
    case 'insight.revoked':
      return { text: `${actor} deleted ${payload.heading}`, detail: 'Its public link no longer works' }
    case 'report.updated':
      return { text: `${actor} edited ${payload.title}`, href: paths.report(subjectId) }
    case 'report.commented':
      return { text: `${actor} commented on ${payload.title}`, href: paths.comment(subjectId, payload.comment_id) }
    case 'report.mentioned':
      return {
        text: `${actor} mentioned you in a comment on ${payload.title}`,
        href: paths.comment(subjectId, payload.comment_id),
      }
    case 'credit.posted':
      return {
        text: `${credit(payload.amount_micros)} credit added`,
        detail: payload.origin === 'top_up' ? 'Top-up' : 'Granted by the operator',
        href: paths.credits(),
      }
    case 'credit.withheld': {
      const paid = paidAmount({ amount: payload.paid_amount, currency: payload.paid_currency })
      return {
        text: payload.decision === 'rejected' ? `A payment of ${paid} was rejected` : `A payment of ${paid} is on hold`,
        detail: `Expected ${credit(payload.asked_micros)}; ${payload.decision === 'pending' ? 'on hold until the operator decides' : 'no credit was added'}`,
        href: paths.credits(),
      }
    }
    case 'platform.announced':
      return { text: payload.title, detail: payload.message || undefined }
  }
}

const hrefOfStart = ({ experiment_id, run_request_id }: { experiment_id: string; run_request_id: string | null }) =>
  run_request_id === null ? paths.experiment(experiment_id, 'schedules') : paths.run(run_request_id)

type Endings = { completed: number; errored: number; canceled: number; solved?: SolvedCounts | undefined }

const endings = ({ solved, ...counts }: Endings) =>
  [
    solved !== undefined && solved.runs > 0 && `solved ${solved.solved} of ${counted(solved.runs, 'run')}`,
    counts.completed > 0 && `${counted(counts.completed, 'run')} completed`,
    counts.errored > 0 && `${counts.errored} errored`,
    counts.canceled > 0 && `${counts.canceled} canceled`,
  ]
    .filter((part) => part !== false)
    .join(', ')
