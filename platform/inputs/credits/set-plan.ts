import type { Services } from '#platform/ground/context/context.ts'
import { changePlan, type PlanChange } from './change-plan.ts'
import { withAccount } from './open-account.ts'
import type { Plan } from './plans.ts'

/** Puts an organization on a plan. A second call changes nothing. */
export const setPlan = ({ db }: Pick<Services, 'db'>, organizationId: string, plan: Plan): Promise<PlanChange> =>
  db.transaction((tx) => withAccount(tx, organizationId, ({ account, now }) => changePlan(account, plan, now)))
