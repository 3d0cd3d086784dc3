import { createHash } from 'node:crypto'

import { v7 as newId } from 'uuid'

import type { Definition } from '#contract/definition.ts'
import { isPrepared } from '#contract/environment-image.ts'
import type { RequestOrigin } from '#contract/request-origins.ts'
import { dependenciesOf, taskOf } from '#contract/task.ts'
import { defaultRetries } from '#contract/task-fields.ts'
import type { DecisionDesign } from '#contract/until-decided.ts'
import type { Variant } from '#contract/variants.ts'
import { compositeRunId } from '#contract/wire/run-id.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { usesPlatformKey } from '#platform/inputs/credits/platform-key.ts'
import { holdCredit, holdsOf, readCharges } from '#platform/inputs/credits/reserve-credit.ts'
import { storeDesign } from '#platform/queue/decisions/make-design.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { preconditionFailed } from '#platform/ground/failures/failure.ts'
import { spendKindOf } from '#platform/ground/models/run-variables.ts'
import { queueBuilds } from '#platform/queue/run-queue/queue-builds.ts'
import { readRunRules, requireAllowed } from '#platform/inputs/run-policies/run-rules.ts'
import { requireSecrets } from '#platform/inputs/secrets/require-secrets.ts'
import { orderRuns } from './order-runs.ts'
import { insertRequest, insertRuns } from './store.ts'

type Version = {
  fingerprint: string
  ordinal: number
  definition: Definition
  files: { source: string; dest: string }[]
}

/** The runs of one request: each variant with the number of its runs. */
export type RunsToQueue = {
  experimentId: string
  version: Version
  wanted: readonly { variant: Variant; repeats: number }[]
  flags: string[]
  mock: boolean
  maxCostUsd: number | null
  untilDecided?: DecisionDesign | undefined
  origin?: RequestOrigin | undefined
}

/**
 * Errors: `failed_precondition` for an incomplete package, and for real runs with missing secrets, without a sandbox, what the run
 * policy does not allow, or with the operator's key and a variable that could send it to another program.
 */
export async function requireRunnable(
  context: Context,
  { version, wanted, flags, mock }: RunsToQueue,
  readRules = () => readRunRules(context.db, context.organization.id),
) {
  guardRunnable(context, version, mock)
  if (mock) return
  const { definition } = version
  const variants = wanted.map(({ variant }) => variant)
  const usesKey = (variant: Variant) => usesPlatformKey(context.creditTerms, definition, { variant, flags })
  requireAllowed(await readRules(), { definition, variants, flags, usesPlatformKey: usesKey })
  await requireSecrets(context, definition, { variants, flags })
}

/**
 * Inserts a request with its runs, and holds their credit: all of it or nothing, in the caller's transaction. Returns the
 * id of the request. Call `wakeRunEngine` after the commit. Errors: `resource_exhausted` for real runs that the credit
 * does not cover.
 */
export async function queueRuns(
  context: Context,
  tx: Database,
  submission: RunsToQueue,
  requestId = newId(),
): Promise<string> {
  const plan = planRequest(context, submission, { requestId, now: await clockNow(tx) })
  await storeRequest(tx, plan)
  const runs = await insertRuns(tx, plan.order, plan.newRun)
  if (submission.mock) return requestId
  const charges = await readCharges(context, tx, toCharge(submission, plan))
  // Last, because it locks the organization's credit until the commit.
  const parts = await holdCredit(context, tx, charges, requestId)
  await holdsOf(context, charges, parts)(tx, runs)
  return requestId
}

export const toCharge = ({ version, flags }: RunsToQueue, { order }: Plan) => ({
  definition: version.definition,
  flags,
  variants: order.map(({ variant }) => variant),
})

export type Plan = ReturnType<typeof planRequest>

/** The rows of a request, before they are inserted. */
export function planRequest(
  { organization, caller }: Context,
  { experimentId, version, wanted, flags, mock, maxCostUsd, untilDecided, origin }: RunsToQueue,
  { requestId, now }: { requestId: string; now: string },
) {
  const { definition, fingerprint, ordinal } = version
  const variants = wanted.map(({ variant }) => variant)
  const shared = {
    organizationId: organization.id,
    experimentId,
    fingerprint,
    ordinal,
    triggeredBy: caller.recordedUnder,
  }
  const environmentsToBuild = mock ? [] : environmentsToPrepare(definition, variants)
  const variantIds = variants.map(({ variantId }) => variantId)
  const repeat = Math.max(...wanted.map(({ repeats }) => repeats))
  const building = new Set(environmentsToBuild)
  const factsOf = oncePerVariant((variant) => ({
    spendKind: spendKindOf(definition, variant, flags),
    retries: taskOf(definition, variant.prompt).limits.retries ?? defaultRetries,
    status: waitsForBuild(variant, building) ? ('waiting_for_ci' as const) : ('queued' as const),
  }))
  const times = { createdAt: now, statusUpdatedAt: now }
  return {
    request: { ...shared, id: requestId, variantIds, repeat, flags, mock, maxCostUsd, origin, createdAt: now },
    untilDecided,
    environmentsToBuild,
    order: orderRuns(wanted, requestId),
    newRun: ({ variant, repeat }: { variant: Variant; repeat: number }) => ({
      ...shared,
      ...newRun(variant),
      ...factsOf(variant),
      ...times,
      requestId,
      mock,
      repeat,
    }),
  }
}

/** Everything of a request besides its runs. */
export async function storeRequest(tx: Database, { request, untilDecided, environmentsToBuild }: Plan) {
  await insertRequest(tx, request)
  await queueBuilds(tx, { requestId: request.id, environments: environmentsToBuild })
  if (untilDecided) await storeDesign(tx, request.id, untilDecided)
}

const waitsForBuild = (run: { environment: string | null }, environments: ReadonlySet<string>) =>
  run.environment !== null && environments.has(run.environment)

/** A request can have ten thousand runs of a few variants. */
function oncePerVariant<Facts>(read: (variant: Variant) => Facts): (variant: Variant) => Facts {
  const known = new Map<Variant, Facts>()
  return (variant) => {
    const facts = known.get(variant) ?? read(variant)
    known.set(variant, facts)
    return facts
  }
}

/** Creates a run. The queue claims runs in the order of their ids, which is that of their creation. The composite id ends in a hash of its UUID, which is short and as unique as the run. */
function newRun(variant: Variant) {
  const id = newId()
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 12)
  return { ...variant, id, compositeId: compositeRunId(variant.variantId, hash) }
}

function guardRunnable({ sandbox }: Context, { definition, files }: Version, mock: boolean) {
  const keyOf = ({ source, dest }: { source: string; dest: string }) => JSON.stringify([source, dest])
  const sent = new Set(files.map(keyOf))
  const missing = dependenciesOf(definition).filter((file) => !sent.has(keyOf(file)))
  if (missing.length > 0) {
    throw preconditionFailed(
      `The package of this version lacks ${missing.map(({ source }) => source).join(', ')}. Push the files with version_files`,
    )
  }
  if (!mock && !sandbox.available)
    throw preconditionFailed(`Real runs cannot start here: ${sandbox.reason ?? 'there is no sandbox'}`)
}

function environmentsToPrepare({ environments = [] }: Definition, variants: readonly Variant[]): string[] {
  const used = new Set(variants.map(({ environment }) => environment))
  return environments.filter((each) => isPrepared(each) && used.has(each.id)).map(({ id }) => id)
}
