import type { VerbInput } from '#contract/endpoint.ts'
import {
  type previewRetention as endpoint,
  RemovalKind,
  type RetentionKind,
  retentionKinds,
  type RetentionLoss,
  type RetentionPreview,
  type RetentionRules,
} from '#contract/retention.ts'
import { changesKeys } from '#platform/queue/changes/record-changes.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { clockNow } from '#platform/ground/database/clock.ts'
import { toInstant } from '#platform/ground/database/instants.ts'
import { firstRemoval } from './manage-retention.ts'
import { countKept, countRemovable, type OldRuns } from './old-runs-store.ts'
import {
  countDeliveries,
  countNotifications,
  findInsightsOverEverything,
  sampleChanges,
  sampleSegments,
  sizeOfOutputs,
} from './preview-store.ts'
import { requireExperiments } from './require-experiments.ts'
import { findPolicy } from './store.ts'

/** Blobs whose sizes are asked for. More are estimated from these. */
const sampleSize = 200

type Place = Pick<Services, 'db' | 'blobs'> & { organization: { id: string } }

/** POST /admin/v1/retention/preview: what the rules would remove now, and when. Nothing is removed. */
export async function previewRetention(context: Place, rules: VerbInput<typeof endpoint>): Promise<RetentionPreview> {
  const { db, organization } = context
  const policy = await findPolicy(db, organization.id)
  await requireExperiments(db, organization.id, rules, policy)
  const losses: RetentionLoss[] = []
  for (const kind of retentionKinds) {
    const days = rules[kind]
    if (days !== null) losses.push(await lossOf(context, kind, days, rules))
  }
  const ofRuns = RemovalKind.options.map((kind) => rules[kind]).filter((days) => days !== null)
  const noneKept = { byExperiment: 0, byTag: 0, byPublishedInsight: 0 }
  return {
    losses,
    keptRuns: ofRuns.length > 0 ? await countKept(db, organization.id, Math.min(...ofRuns), rules) : noneKept,
    affectedInsights: ofRuns.length > 0 ? await findInsightsOverEverything(db, organization.id) : [],
    removesFrom: firstRemoval(policy, rules, await clockNow(db)),
  }
}

async function lossOf(
  context: Place,
  kind: RetentionKind,
  days: number,
  rules: RetentionRules,
): Promise<RetentionLoss> {
  const { db, organization } = context
  const organizationId = organization.id
  if (kind === 'notifications' || kind === 'deliveries') {
    const old = { organizationId, days }
    const found = kind === 'notifications' ? [await countNotifications(db, old)] : await countDeliveries(db, old)
    const count = found.reduce((sum, each) => sum + each.count, 0)
    const [oldest] = found.flatMap((each) => (each.oldest === null ? [] : [toInstant(each.oldest)])).toSorted()
    return { kind, count, bytes: null, isEstimate: false, oldest: oldest ?? null }
  }
  const old = { organizationId, kind, days, rules }
  const { runs: count, oldest } = await countRemovable(db, old)
  const sizes = count === 0 ? [] : await sizesOf(context, old)
  return {
    kind,
    count,
    bytes: Math.round(sizes.reduce((sum, size) => sum + size.bytes, 0)),
    isEstimate: sizes.some((size) => size.isEstimate),
    oldest,
  }
}

type Size = { bytes: number; isEstimate: boolean }

async function sizesOf(context: Place, old: OldRuns): Promise<Size[]> {
  const { db } = context
  const transcripts = async () => {
    const { total, keys } = await sampleSegments(db, old, sampleSize)
    return scale(await sumOf(context, keys), keys.length, total)
  }
  const changes = async () => {
    const { total, rows } = await sampleChanges(db, old, sampleSize)
    return scale(await sumOf(context, rows.flatMap(changesKeys)), rows.length, total)
  }
  const outputs = async () => ({ bytes: await sizeOfOutputs(db, old), isEstimate: false })
  if (old.kind === 'runs') return [await transcripts(), await outputs(), await changes()]
  return [await { transcripts, outputs, changes }[old.kind]()]
}

const scale = (bytes: number, sampled: number, total: number): Size => ({
  bytes: sampled === 0 ? 0 : (bytes * total) / sampled,
  isEstimate: sampled < total,
})

const atOnce = 20

async function sumOf({ blobs }: Pick<Services, 'blobs'>, keys: readonly string[]) {
  let sum = 0
  for (let start = 0; start < keys.length; start += atOnce) {
    const sizes = await Promise.all(keys.slice(start, start + atOnce).map((key) => blobs.sizeOf(key)))
    sum += sizes.reduce<number>((total, size) => total + (size ?? 0), 0)
  }
  return sum
}
