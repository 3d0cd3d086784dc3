import type { Context } from '#platform/context/context.ts'
import type { Database } from '#platform/database/open-database.ts'
import { notify } from '#platform/notifications/notify.ts'

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
  { organization, caller }: Pick<Context, 'organization' | 'caller'>,
  tx: Database,
  { type, source, insight: { id, slug, heading, ownerId } }: Change,
) =>
  notify(tx, {
    type,
    organizationId: organization.id,
    source: `${type}:${source}`,
    actor: caller.actor,
    subject: { type: 'insight', id },
    payload: { heading, slug },
    to: { roles: ['admin'], userIds: [ownerId] },
    except: caller.userId,
  })

type ReportChange = { source: string; report: { id: string; title: string; createdBy: string } } & (
  | { type: 'report.published'; payload: { is_update: boolean } }
  | { type: 'report.revoked'; payload: object }
)

/** As `notifyPublicationChange`, for the public page of a report. */
export const notifyReportPublication = (
  { organization, caller }: Pick<Context, 'organization' | 'caller'>,
  tx: Database,
  { type, source, report: { id, title, createdBy }, payload }: ReportChange,
) =>
  notify(tx, {
    type,
    organizationId: organization.id,
    source: `${type}:${source}`,
    actor: caller.actor,
    subject: { type: 'report', id },
    payload: { title, ...payload },
    to: { roles: ['admin'], userIds: [createdBy] },
    except: caller.userId,
  })
