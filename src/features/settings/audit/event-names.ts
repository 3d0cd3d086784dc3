import { AuditEventName } from '#contract/audit.ts'

/** What happened, in words. */
const words: Record<AuditEventName, string> = {
  'sign-in': 'Sign-in',
  authentication: 'Request with an unknown, expired or revoked key',
  permission: 'Request without permission',
  'organization.create': 'Organization created',
  'invitation.create': 'Person invited',
  'invitation.revoke': 'Invitation revoked',
  'invitation.accept': 'Invitation accepted',
  'organization.rename': 'Organization renamed',
  'budget.set': 'Budget set',
  'budget.delete': 'Budget deleted',
  'run-policy.set': 'Run policy changed',
  'retention.set': 'Retention rules changed',
  'retention.skip-grace': 'Retention wait skipped',
  'retention.sweep': 'Old data removed',
  'person.rename': 'Person renamed',
  'member.set': 'Member added or role changed',
  'member.remove': 'Member removed',
  'key.create': 'API key created',
  'key.rotate': 'API key rotated',
  'key.revoke': 'API key revoked',
  'context.write': 'Context record saved',
  'context.decide': 'Context suggestion decided',
  'secret.put': 'Secret saved',
  'secret.delete': 'Secret deleted',
  'secret.rotate': 'Secrets re-encrypted',
  'backup.make': 'Backup made',
  'insight.share': 'Insight published',
  'insight.revoke': 'Public link revoked',
  'report.publish': 'Report published',
  'report.revoke': 'Public page of a report revoked',
  'label.delete': 'Someone else’s label deleted',
  'run.delete': 'Imported runs deleted',
  'comment.delete': 'Someone else’s comment deleted',
  'webhook.create': 'Webhook added',
  'webhook.change': 'Webhook changed',
  'webhook.rotate': 'Webhook secret rotated',
  'webhook.delete': 'Webhook deleted',
  'webhook.stop': 'Webhook stopped because it failed',
  'schedule.create': 'Schedule created',
  'schedule.change': 'Schedule changed',
  'schedule.pause': 'Schedule paused',
  'schedule.resume': 'Schedule resumed',
  'schedule.delete': 'Schedule deleted',
  'mail.confirm': 'Email address confirmed',
  'mail.stop': 'Email stopped because the address was refused',
  'mail.restart': 'Email resumed',
}

/** An event that this page does not know keeps its own name. */
export const wordsOfEvent = (event: string) => {
  const known = AuditEventName.safeParse(event)
  return known.success ? words[known.data] : event
}
