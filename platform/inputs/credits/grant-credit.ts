import { v7 as newId } from 'uuid'

import type { Services } from '#platform/ground/context/context.ts'
import { notifyCreditPosted } from './notify-admins.ts'
import { grant } from './ledger.ts'
import { withAccount } from './open-account.ts'
import { hasEntry } from './store.ts'

type OperatorGrant = { organizationId: string; micros: bigint; reference?: string | undefined }

/**
 * Grants an organization on-demand credit, which never expires. Returns false, without a grant, for a used reference.
 */
export const grantCredit = ({ db }: Pick<Services, 'db'>, { organizationId, micros, reference }: OperatorGrant) =>
  db.transaction(async (tx) => {
    const source = `operator:${reference ?? newId()}`
    const isNew = await withAccount(tx, organizationId, async ({ account, now }) => {
      if (await hasEntry(tx, organizationId, source)) return false
      grant(account, { bucket: 'on_demand', micros, at: now, expiresAt: null, source, from: 'granted' })
      return true
    })
    if (isNew) await notifyCreditPosted(tx, { organizationId, source, micros, origin: 'grant' })
    return isNew
  })
