import type { WhoAmI } from '#contract/identity.ts'
import type { CallerContext } from '#platform/ground/context/context.ts'

/** GET /whoami: the caller, every organization its key has access to, and whether real runs and SQL are available. */
export async function whoami({ caller, sandbox, analytics }: CallerContext): Promise<WhoAmI> {
  const { actor, keyKind, organizations } = caller
  const unproven = keyKind === 'personal' && !caller.isProven
  const reason = await analytics.findSqlObstacle()
  const sql = { available: reason === null, ...(reason && { reason }) }
  return { actor, keyKind, organizations, sandbox, sql, ...(unproven && { isUnproven: true }) }
}
