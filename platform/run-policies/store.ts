import { eq } from 'drizzle-orm'

import type { RunRules } from '#contract/run-policy.ts'
import type { Database } from '#platform/database/open-database.ts'
import { runPolicies } from '#platform/database/tables/run-policies.ts'

export async function findRunPolicy(db: Database, organizationId: string) {
  const [row] = await db.select().from(runPolicies).where(eq(runPolicies.organizationId, organizationId))
  return row ?? null
}

export async function upsertRunPolicy(
  tx: Database,
  policy: { organizationId: string; rules: RunRules; updatedAt: string },
) {
  const { rules, updatedAt } = policy
  await tx
    .insert(runPolicies)
    .values(policy)
    .onConflictDoUpdate({ target: runPolicies.organizationId, set: { rules, updatedAt } })
}
