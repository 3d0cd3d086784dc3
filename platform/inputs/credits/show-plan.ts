import { microsToDollars } from '#contract/wire/micros.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { currentCycle, totalHeld, inSpendingOrder, spendable } from './account.ts'
import { withAccount } from './open-account.ts'

const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10)

/** An organization's plan, cycle and credit, as lines to print. */
export const showPlan = ({ db }: Pick<Services, 'db'>, organizationId: string): Promise<string[]> =>
  db.transaction((tx) =>
    withAccount(tx, organizationId, ({ account }) => {
      const { startsAt, endsAt } = currentCycle(account)
      return [
        `Plan: ${account.plan}, billing cycle ${dayOf(startsAt)} to ${dayOf(endsAt)}`,
        `Available: $${microsToDollars(spendable(account))}, held for unfinished runs: $${microsToDollars(totalHeld(account))}`,
        ...inSpendingOrder(account).map(
          ({ bucket, available, expiresAt }) =>
            `  ${bucket}: $${microsToDollars(available)}${expiresAt === null ? '' : `, expires ${dayOf(expiresAt)}`}`,
        ),
      ]
    }),
  )
