import type { WhoAmI } from '#contract/identity.ts'
import type { Context } from '#platform/context.ts'

/** GET /whoami: the caller, every organization its key sees, and whether real runs can start here. */
export async function whoami({ caller, sandbox }: Context): Promise<WhoAmI> {
  return { actor: caller.actor, keyKind: caller.keyKind, organizations: caller.organizations, sandbox }
}
