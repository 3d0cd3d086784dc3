import type { Context } from '#platform/ground/context/context.ts'
import { spendable } from './account.ts'
import { withAccount } from './open-account.ts'

/** The credit of the organization that new runs can hold, in micros. The caller checks who may know it. */
export const readSpendable = ({ db, organization }: Pick<Context, 'db' | 'organization'>): Promise<bigint> =>
  db.transaction((tx) => withAccount(tx, organization.id, ({ account }) => spendable(account)))
