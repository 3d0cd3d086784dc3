import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { listRequestsOfCommits as endpoint } from '#contract/request-origins.ts'
import { limits } from '#contract/wire/limit.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { requireExperiment } from '#platform/inputs/experiments/require-experiment.ts'
import { findRequestsOfCommits } from './origin-store.ts'

/** GET /experiments/{id}/requests-of-commits: requests of pipelines, newest first. Errors: `not_found` for the experiment. */
export async function listRequestsOfCommits(
  { db, organization }: Context,
  { id, limit = limits.requestsOfCommits.default, ...wanted }: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const key = { organizationId: organization.id, experimentId: id }
  await requireExperiment(db, key)
  const rows = await findRequestsOfCommits(db, { ...key, ...wanted }, limit)
  return {
    requests: rows.flatMap(({ origin, fingerprint, ...row }) =>
      origin ? [{ ...row, origin, experimentFingerprint: fingerprint }] : [],
    ),
  }
}
