import type { Database } from '#platform/database/open-database.ts'
import { notify } from '#platform/notifications/notify.ts'

type PostedCredit = { organizationId: string; source: string; micros: bigint; origin: 'top_up' | 'grant' }

/** Tells the admins, who alone may know what credit there is. Last in its transaction, as every notice. */
export const announceCredit = (tx: Database, { organizationId, source, micros, origin }: PostedCredit) =>
  notify(tx, {
    type: 'credit.posted',
    organizationId,
    source: `credit:${organizationId}:${source}`,
    actor: null,
    subject: { type: 'credit', id: organizationId },
    payload: { amount_micros: String(micros), origin },
    to: { roles: ['admin'] },
  })
