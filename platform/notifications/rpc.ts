import type { Context } from '#platform/context/context.ts'
import { chooseOrganization } from '#platform/context/organization-scope.ts'

/** The RPC form of a verb: the organization from `orgId`, the answer inside `result` (spec, Notifications). */
export const inRpcForm =
  <Input, Result>(verb: (context: Context, input: Input) => Promise<Result>) =>
  async (context: Context, input: Input & { orgId?: string | undefined }): Promise<{ result: Result }> => {
    const organization = chooseOrganization(context.caller, input.orgId)
    return { result: await verb({ ...context, organization }, input) }
  }
