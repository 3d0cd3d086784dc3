import type { WhoAmI } from '#contract/identity.ts'
import type { CallerContext } from '#platform/context/context.ts'

/** GET /whoami: the caller, every organization its key has access to, and whether real runs and SQL are available. */
export async function whoami({ caller, sandbox, analytics }: CallerContext): Promise<WhoAmI> {
  const { actor, keyKind, organizations } = caller
  const reason = await analytics.findSqlObstacle()
  return { actor, keyKind, organizations, sandbox, sql: { available: reason === null, ...(reason && { reason }) } }
}
