import type { VerbInput } from '#contract/endpoint.ts'
import type { submitRuns as endpoint, SubmitReceipt } from '#contract/run-submission.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { claimKey, findMade } from '#platform/ground/idempotency-keys/claim-key.ts'
import { requireRunnable } from './queue-runs.ts'
import { queueSubmission } from './queue-submission.ts'
import { readSubmission } from './read-submission.ts'

/** What a caller of its own does in the transaction that makes the runs visible. What it throws undoes all of it. */
type Alongside = {
  /** First. */
  claim: (tx: Database) => Promise<unknown>
  /** With the request in place. */
  record: (tx: Database, request: { requestId: string; ordinal: number }) => Promise<void>
}

/**
 * POST /experiments/{id}/runs: queues `repeat` runs of every selected variant (0 means 1) and returns at once. An
 * idempotency key queues them only once. Errors:
 * - `not_found` for the experiment;
 * - `invalid_argument` for unknown versions, selectors and flags, or an empty selection;
 * - those of `requireRunnable` and `queueRuns`.
 */
export async function submitRuns(
  context: Context,
  input: VerbInput<typeof endpoint>,
  alongside?: Alongside,
): Promise<SubmitReceipt> {
  const { version, variants, repeat, ...others } = await readSubmission(context, input)
  const wanted = variants.map((variant) => ({ variant, repeats: repeat }))
  const submission = { experimentId: input.id, version, wanted, ...others }
  const claim = { operation: 'runs.submit', input: { ...input, version: version.ordinal } }
  // The runs of an earlier request may have spent the credit that the checks ask for.
  const earlier = await findMade(context.db, context, claim)
  if (!earlier) await requireRunnable(context, submission)
  const runRequestId =
    earlier ??
    (await queueSubmission(context, submission, {
      async claim(tx, id) {
        await alongside?.claim(tx)
        return claimKey(tx, context, claim, id)
      },
      record: async (tx, requestId) => alongside?.record(tx, { requestId, ordinal: version.ordinal }),
    }))
  context.wakeRunEngine()
  return {
    runRequestId,
    experimentFingerprint: version.fingerprint,
    ordinal: version.ordinal,
    variantCount: variants.length,
    variantIds: variants.map(({ variantId }) => variantId),
    runCount: variants.length * repeat,
  }
}
