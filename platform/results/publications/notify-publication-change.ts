import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { notify } from '#platform/people/notifications/notify.ts'

type Who = Pick<Context, 'organization' | 'caller'>

/** Notifies the creator and the admins, but not the person who did it. */
const notifiedOf = ({ organization, caller }: Who, creatorId: string) => ({
  organizationId: organization.id,
  actor: caller.actor,
  to: { roles: ['admin' as const], userIds: [creatorId] },
  except: caller.recordedUnder,
})

type Change = {
  type: 'insight.published' | 'insight.revoked'
  source: string
  insight: { id: string; slug: string; heading: string; ownerId: string }
}

/**
 * Notifies the creator and the admins about a change of what the public can see. Call it last in the transaction that
 * changes it.
 */
export const notifyPublicationChange = (
  who: Who,
  tx: Database,
  { type, source, insight: { id, slug, heading, ownerId } }: Change,
) =>
  notify(tx, {
    ...notifiedOf(who, ownerId),
    type,
    source: `${type}:${source}`,
    subject: { type: 'insight', id },
    payload: { heading, slug },
  })

type ReportChange = { source: string; report: { id: string; title: string; createdBy: string } } & (
  | { type: 'report.published'; payload: { is_update: boolean } }
  | { type: 'report.revoked'; payload: object }
)

/** As `notifyPublicationChange`, for the public page of a report. */
export const notifyReportPublication = (
  who: Who,
  tx: Database,
  { type, source, report: { id, title, createdBy }, payload }: ReportChange,
) =>
  notify(tx, {
    ...notifiedOf(who, createdBy),
    type,
    source: `${type}:${source}`,
    subject: { type: 'report', id },
    payload: { title, ...payload },
  })
