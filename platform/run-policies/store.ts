import { eq } from 'drizzle-orm'

import type { RunRules } from '#contract/run-policy.ts'
import type { Database } from '#platform/database/open-database.ts'
import { runPolicies, type StoredRules } from '#platform/database/tables/run-policies.ts'

/** Null for an organization without rules. */
export async function findRunPolicy(db: Database, organizationId: string): Promise<StoredPolicy | null> {
  const [row] = await db.select().from(runPolicies).where(eq(runPolicies.organizationId, organizationId))
  return row ? { rules: toRules(row.rules), updatedAt: row.updatedAt } : null
}

type StoredPolicy = { rules: RunRules; updatedAt: string }

const toRules = ({ network, images, refusedHosts, ...same }: StoredRules): RunRules => ({
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

export async function upsertRunPolicy(
  tx: Database,
  policy: { organizationId: string; rules: RunRules; updatedAt: string },
) {
  const { organizationId, updatedAt } = policy
  const rules = toStored(policy.rules)
  await tx
    .insert(runPolicies)
    .values({ organizationId, rules, updatedAt })
    .onConflictDoUpdate({ target: runPolicies.organizationId, set: { rules, updatedAt } })
}
