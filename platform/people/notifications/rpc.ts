import type { CallerContext, Context } from '#platform/ground/context/context.ts'
import { chooseOrganization } from '#platform/ground/context/organization-scope.ts'

/** The RPC form of a verb: `orgId` is in the body, and the response is inside `result`. */
export const asRpc =
  <Input, Result>(verb: (context: Context, input: Input) => Promise<Result>) =>
  async (context: CallerContext, input: Input & { orgId?: string | undefined }): Promise<{ result: Result }> => {
    const organization = chooseOrganization(context.caller, input.orgId)
    return { result: await verb({ ...context, organization }, input) }
  }
