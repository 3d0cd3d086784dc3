import { and, eq, sql } from 'drizzle-orm'

import { noRunRules, type RunRules } from '#contract/run-policy.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { runPolicies, type StoredRules } from '#platform/ground/database/tables/run-policies.ts'

/** Null for an organization without rules. */
export async function findRunPolicy(db: Database, organizationId: string): Promise<StoredPolicy | null> {
  const [row] = await db.select().from(runPolicies).where(eq(runPolicies.organizationId, organizationId))
  return row ? { rules: toRules(row.rules), updatedAt: row.updatedAt } : null
}

type StoredPolicy = { rules: RunRules; updatedAt: string }

const toRules = ({ network, images, refusedHosts, ...same }: StoredRules): RunRules => ({
  // Rules that were stored before a rule was added lack it.
  ...noRunRules,
  ...same,
  network: network === 'listed' ? 'allowed' : network,
  images: images === 'listed' ? 'allowed' : images,
  blockedHosts: refusedHosts,
})

const toStored = ({ network, images, blockedHosts, ...same }: RunRules): StoredRules => ({
  ...same,
  network: network === 'allowed' ? 'listed' : network,
  images: images === 'allowed' ? 'listed' : images,
  refusedHosts: blockedHosts,
})

type Change = { organizationId: string; rules: RunRules; updatedAt: string; expectedUpdatedAt: string | null }

/**
 * False, and nothing is written, if the policy is no longer the expected one; null expects that there is none. One
 * statement compares and writes, so of two changes at once only one is written.
 */
export async function replaceRunPolicy(tx: Database, change: Change): Promise<boolean> {
  const { organizationId, updatedAt, expectedUpdatedAt } = change
  const rules = toStored(change.rules)
  const written =
    expectedUpdatedAt === null
      ? await tx.insert(runPolicies).values({ organizationId, rules, updatedAt }).onConflictDoNothing().returning()
      : await tx
          .update(runPolicies)
          .set({ rules, updatedAt })
          .where(
            and(
              eq(runPolicies.organizationId, organizationId),
              sql`${runPolicies.updatedAt} = ${expectedUpdatedAt}::timestamptz`,
            ),
          )
          .returning()
  return written.length > 0
}
