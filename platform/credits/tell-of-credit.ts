import type { Database } from '#platform/database/open-database.ts'
import { notify } from '#platform/notifications/notify.ts'

type PostedCredit = { organizationId: string; source: string; micros: bigint; origin: 'top_up' | 'grant' }

/** Tells an organization's admins of credit that was posted; `source` is the ledger's. With the account locked. */
export const tellOfCredit = (tx: Database, { organizationId, source, micros, origin }: PostedCredit) =>
  notify(tx, {
    type: 'credit.posted',
    organizationId,
    source: `credit.posted:${organizationId}:${source}`,
    actor: null,
    subject: { type: 'credit', id: organizationId },
    payload: { amount_micros: String(micros), origin },
    to: { roles: ['admin'] },
  })
