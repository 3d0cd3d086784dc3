import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { limitParam, limits } from '#contract/wire/limit.ts'
import { listParam } from '#contract/wire/list-param.ts'
import { Timestamp, timestampParam } from '#contract/wire/query-values.ts'

/** Every event of the audit log. */
export const AuditEventName = z.enum([
  'sign-in',
  'authentication',
  'permission',
  'organization.create',
  'invitation.create',
  'invitation.revoke',
  'invitation.accept',
  'organization.rename',
  'budget.set',
  'budget.delete',
  'run-policy.set',
  'retention.set',
  'retention.skip-grace',
  'retention.sweep',
  'person.rename',
  'member.set',
  'member.remove',
  'key.create',
  'key.rotate',
  'key.revoke',
  'context.write',
  'context.decide',
  'secret.put',
  'secret.delete',
  'secret.rotate',
  'backup.make',
  'insight.share',
  'insight.revoke',
  'report.publish',
  'report.revoke',
  'label.delete',
  'run.delete',
  'comment.delete',
  'webhook.create',
  'webhook.change',
  'webhook.rotate',
  'webhook.delete',
  'webhook.stop',
  'schedule.create',
  'schedule.change',
  'schedule.pause',
  'schedule.resume',
  'schedule.delete',
  'mail.confirm',
  'mail.stop',
  'mail.restart',
])
export type AuditEventName = z.infer<typeof AuditEventName>

export const AuditActorKind = z.enum(['person', 'organization key', 'operator', 'platform', 'unknown'])
export type AuditActorKind = z.infer<typeof AuditActorKind>

export const AuditOutcome = z.enum(['accepted', 'refused'])
export type AuditOutcome = z.infer<typeof AuditOutcome>

/** Facts about an event. They contain no secrets, and only the prefix of a key. */
export type AuditDetails = Record<string, string | number | boolean | undefined>

/** One event. Events are never changed or deleted, so names are those of the time. */
export const AuditEntry = z.object({
  id: z.uuid(),
  at: Timestamp,
  /** Text, because a newer platform may record events that this page does not know. */
  event: z.string(),
  outcome: AuditOutcome,
  actor: z.object({ kind: AuditActorKind, id: z.string().optional(), name: z.string().optional() }),
  subject: z.string().optional(),
  address: z.string().optional(),
  requestId: z.string().optional(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const AuditEntryList = z.object({ events: z.array(AuditEntry), nextPageToken: z.string().optional() })
export type AuditEntryList = z.infer<typeof AuditEntryList>

const auditFilters = {
  event: listParam(AuditEventName),
  outcome: AuditOutcome.optional(),
  search: z.string().max(200).optional(),
  since: timestampParam(),
  until: timestampParam(),
}

export const AuditExportFormat = z.enum(['csv', 'ndjson'])
export type AuditExportFormat = z.infer<typeof AuditExportFormat>

export const auditExportTypes: Record<AuditExportFormat, string> = { csv: 'text/csv', ndjson: 'application/x-ndjson' }

export const listAuditEvents = endpoint({
  name: 'audit.list',
  base: '/admin/v1',
  method: 'GET',
  path: '/audit-events',
  summary: 'List the audit log of the organization, newest first',
  query: z.object({ ...auditFilters, pageSize: limitParam(limits.auditEvents), pageToken: z.string().optional() }),
  response: AuditEntryList,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied'],
})

export const exportAuditEvents = endpoint({
  name: 'audit.export',
  base: '/admin/v1',
  method: 'GET',
  path: '/audit-events/export',
  summary: 'Download every event of the audit log that matches the filters, as CSV or NDJSON',
  query: z.object({ ...auditFilters, format: AuditExportFormat.optional() }),
  response: z.string(),
  fileTypes: Object.values(auditExportTypes),
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'resource_exhausted'],
})
