import { z } from 'zod'

import type { AuditEntryList, exportAuditEvents, listAuditEvents } from '#contract/audit.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { cutPage, readPageToken } from '#platform/ground/routes/page-token.ts'
import { findTrail, type TrailFilter } from './trail-store.ts'
import { toAuditEntry } from './to-audit-entry.ts'

const position = z.tuple([Timestamp, z.uuid()])

/** GET /audit-events. Events of the installation belong to no organization and are not in it. */
export async function listTrail(context: Context, input: VerbInput<typeof listAuditEvents>): Promise<AuditEntryList> {
  const limit = input.pageSize ?? limits.auditEvents.default
  const filter = readTrailFilter(context, input)
  const listKey = ['audit', filter] as const
  const after = readPageToken(input.pageToken, position, listKey)
  const rows = await findTrail(context.db, filter, { after, limit: limit + 1 })
  const { shown, ...next } = cutPage(rows.map(toAuditEntry), limit, listKey, ({ at, id }) => [at, id])
  return { events: shown, ...next }
}

export const readTrailFilter = (
  { organization }: Context,
  { event, outcome, search, since, until }: VerbInput<typeof exportAuditEvents>,
): TrailFilter => ({
  organizationId: organization.id,
  events: event?.length ? event : undefined,
  outcome,
  search,
  since,
  until,
})
