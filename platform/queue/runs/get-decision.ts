import type { VerbInput } from '#contract/endpoint.ts'
import type { Decision, getDecision as endpoint } from '#contract/until-decided.ts'
import { isCompositeRunId } from '#contract/wire/run-id.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { readDecision } from '#platform/queue/decisions/read-decision.ts'
import { invalid, notFound } from '#platform/ground/failures/failure.ts'
import { findRunRequest } from '#platform/queue/run-lookup/find-run.ts'

/**
 * GET /runs/{id}/decision: how far a request is from its decision. Errors: `invalid_argument` for a composite id,
 * `not_found` for an unknown request, and for one that runs to its end.
 */
export async function getDecision(context: Context, { id }: VerbInput<typeof endpoint>): Promise<Decision> {
  if (isCompositeRunId(id)) throw invalid('A decision takes the id of a run request, not of a run')
  const { request } = await findRunRequest(context, id)
  const decision = await readDecision(context.db, request.id)
  if (!decision) throw notFound('This request runs to its end: it was submitted without `untilDecided`')
  return decision
}
