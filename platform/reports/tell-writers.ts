import type { Context } from '#platform/context/context.ts'
import type { Database } from '#platform/database/open-database.ts'
import { notify } from '#platform/notifications/notify.ts'
import { addWriter, findWriters, type ReportRow } from './store.ts'

/** An editor saves every few seconds: a colleague's hour of writing is one notification. */
const quietSeconds = 60 * 60

/** Counts the caller among those who wrote on a report, and tells the others. Last in the transaction that wrote. */
export async function tellWriters(
  { organization, caller }: Pick<Context, 'organization' | 'caller'>,
  tx: Database,
  { report }: ReportRow,
) {
  await addWriter(tx, report.id, caller.userId)
  await notify(tx, {
    type: 'report.updated',
    organizationId: organization.id,
    source: `report.updated:${report.id}:${report.updatedAt}`,
    actor: caller.actor,
    subject: { type: 'report', id: report.id },
    payload: { title: report.title },
    to: { userIds: await findWriters(tx, report.id) },
    except: caller.userId,
    quietSeconds,
  })
}
