import type { AuditEntry } from '#contract/audit.ts'
import type { AuditRow } from '#platform/ground/database/tables/audit.ts'

export function toAuditEntry(row: AuditRow): AuditEntry {
  const { id, at, event, outcome, subject, address, requestId, details } = row
  const known = Object.entries(details).filter(([, value]) => value !== undefined && value !== null)
  return {
    id,
    at,
    event,
    outcome,
    actor: {
      kind: row.actorKind,
      ...(row.actorId !== null && { id: row.actorId }),
      ...(row.actorName !== null && { name: row.actorName }),
    },
    ...(subject !== null && { subject }),
    ...(address !== null && { address }),
    ...(requestId !== null && { requestId }),
    details: Object.fromEntries(known) as AuditEntry['details'],
  }
}
