import { can } from '#contract/permissions.ts'
import type { Context } from '#platform/context/context.ts'
import { denied } from '#platform/failures/failure.ts'

type Who = Pick<Context, 'caller' | 'organization'>

/** Whoever made an insight may edit, overwrite, share and delete it, and so may an admin. */
export const mayChange = ({ caller, organization }: Who, insight: { ownerId: string }) =>
  insight.ownerId === caller.userId || can(organization).changeAnyInsight

/** Refuses with `permission_denied`, before anything else about the change is looked at. */
export function requireMayChange(who: Who, insight: { ownerId: string; slug: string }) {
  if (mayChange(who, insight)) return
  throw denied(`Only its owner or an admin may edit, overwrite, share or delete the insight "${insight.slug}"`)
}
