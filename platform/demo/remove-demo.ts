import { setTimeout as delay } from 'node:timers/promises'

import type { Context, Services } from '#platform/context/context.ts'
import type { Database } from '#platform/database/open-database.ts'
import { preconditionFailed } from '#platform/failures/failure.ts'
import { requireOperator } from '#platform/identity/require-operator.ts'
import { deleteInsight } from '#platform/insights/delete-insight.ts'
import { reindex } from '#platform/projection/reindex.ts'
import { deleteReport } from '#platform/reports/delete-report.ts'
import { cancelRunsOf } from '#platform/run-queue/end-or-request-cancel.ts'
import { deleteRequests } from '#platform/run-queue/delete-requests.ts'
import { deleteSecret } from '#platform/secrets/delete-secret.ts'
import { countOthersWork, findUpdatedAt, lockExperiment } from './removal-store.ts'
import { removeExperiment, removeNotifications, removeRecord, removeSuggestions } from './removal-store.ts'
import { stampMembers } from './removal-store.ts'
import { removeSpend } from './remove-spend.ts'
import { demoSlug, stopDemo } from './seed-demo.ts'
import { deleteItems, type DemoItem, findItems, hasUnfinishedRuns, insertItem } from './store.ts'

const cancelDeadlineMs = 60_000

/**
 * Removes everything that the demo made and nothing else, in one transaction, and returns lines that say what went and
 * what stays and why. It stays removed: no later start makes the demo again. A second call only rebuilds the analytics.
 * Errors: `not_found` without a demo organization, `failed_precondition` if a run of the demo does not end.
 */
export async function removeDemo(services: Services): Promise<string[]> {
  const context = await requireOperator(services, demoSlug)
  const organizationId = context.organization.id
  await stopDemo(services.db)
  const items = await findItems(services.db, organizationId)
  const made = items.find(({ kind }) => kind === 'organization')
  if (!made)
    return [
      `Nothing removed: the organization "${demoSlug}" has no record of a demo, so an older version or you made it`,
    ]
  await cancelRuns(
    context,
    items.filter(({ kind }) => kind === 'request').map(({ itemId }) => itemId),
  )
  const { lines, blobKeys } = await context.db.transaction((tx) => removeItems({ ...context, db: tx }, items))
  for (const key of blobKeys) await services.blobs.delete(key)
  await reindex(services, organizationId)
  if (made.state === 'removed') return ['Nothing to remove: the demo was removed before']
  const kept = 'Kept the organization Demo and its people, because you sign in as them'
  return [...lines, kept, 'Reload open pages to see the change']
}

async function cancelRuns(context: Context, requestIds: readonly string[]) {
  for (const requestId of requestIds) await context.db.transaction((tx) => cancelRunsOf(tx, { requestId }))
  context.wakeRunEngine()
  for (
    const deadline = Date.now() + cancelDeadlineMs;
    await hasUnfinishedRuns(context.db, requestIds);
    await delay(100)
  )
    if (Date.now() > deadline)
      throw preconditionFailed(
        'Nothing removed: runs of the demo were canceled but have not ended. Try again in a minute',
      )
}

type Removal = { lines: string[]; blobKeys: string[] }

async function removeItems(context: Context, items: readonly DemoItem[]): Promise<Removal> {
  const { db: tx, organization } = context
  const of = (kind: DemoItem['kind']) => items.filter((item) => item.kind === kind)
  const idsOf = (kind: DemoItem['kind']) => of(kind).map(({ itemId }) => itemId)
  const lines: string[] = []
  for (const kind of ['report', 'insight', 'secret'] as const)
    lines.push(...(await removeUnchanged(context, kind, of(kind))))
  const { runIds, blobKeys, requestCount } = await deleteRequests(tx, idsOf('request'))
  if (requestCount > 0) lines.push(removed(requestCount, 'run request') + ` with ${runIds.length} runs`)
  lines.push(...(await removeExperiments(context, of('experiment'), idsOf('version'))))
  lines.push(...removedSome(await removeSuggestions(tx, idsOf('suggestion')), 'suggestion'))
  lines.push(...(await removeRecords(tx, of('record'))))
  const subjects = ['request', 'insight', 'report', 'suggestion'] as const
  const sources = idsOf('announcement').map((reference) => `announcement:${reference}`)
  lines.push(...removedSome(await removeNotifications(tx, subjects.flatMap(idsOf), sources), 'notification'))
  lines.push(...(await removeSpend(tx, organization.id, runIds)))
  await deleteItems(tx, organization.id)
  await insertItem(tx, {
    organizationId: organization.id,
    kind: 'organization',
    name: demoSlug,
    itemId: organization.id,
    state: 'removed',
  })
  await stampMembers(tx, organization.id)
  return { lines, blobKeys }
}

const plural = (count: number, noun: string) =>
  `${count} ${count === 1 ? noun : noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`
const removed = (count: number, noun: string) => `Removed ${plural(count, noun)}`
const removedSome = (count: number, noun: string) => (count > 0 ? [removed(count, noun)] : [])

const nouns = { report: 'report', insight: 'saved query', secret: 'secret' } as const

/** What a person has changed since is their work, and stays. */
async function removeUnchanged(context: Context, kind: keyof typeof nouns, items: readonly DemoItem[]) {
  let count = 0
  const kept: string[] = []
  for (const { itemId, state } of items) {
    const found = await findUpdatedAt(context.db, kind, context.organization.id, itemId)
    if (!found) continue
    if (found.at === state) {
      await remove[kind](context, itemId)
      count += 1
    } else kept.push(`Kept the ${nouns[kind]} "${found.name}", because it was changed since the demo made it`)
  }
  return [...removedSome(count, nouns[kind]), ...kept]
}

const remove = {
  report: (context: Context, reportId: string) => deleteReport(context, { reportId }),
  insight: (context: Context, ref: string) => deleteInsight(context, { ref }),
  secret: (context: Context, slug: string) => deleteSecret(context, { slug }),
}

async function removeExperiments({ db: tx, organization }: Context, items: readonly DemoItem[], versions: string[]) {
  let count = 0
  const kept: string[] = []
  for (const { itemId: experimentId } of items) {
    const key = { organizationId: organization.id, experimentId }
    const [experiment] = await lockExperiment(tx, key)
    if (!experiment) continue
    const others = Object.entries(await countOthersWork(tx, key, versions)).filter(([, number]) => number > 0)
    if (others.length === 0) {
      await removeExperiment(tx, key)
      count += 1
    } else {
      const what = others.map(([noun, number]) => `${noun} (${number})`).join(', ')
      kept.push(`Kept the experiment "${experiment.name}" without the demo's runs, because it has your own ${what}`)
    }
  }
  return [...removedSome(count, 'experiment'), ...kept]
}

async function removeRecords(tx: Database, items: readonly DemoItem[]) {
  let count = 0
  const kept: string[] = []
  for (const { organizationId, itemId, state } of items) {
    const [kind = '', id = ''] = itemId.split('/')
    const { isThere, isRemoved } = await removeRecord(tx, { organizationId, kind, id }, Number(state))
    if (isRemoved) count += 1
    else if (isThere) kept.push(`Kept the Context record ${itemId}, because it was changed or has suggestions`)
  }
  return [...removedSome(count, 'Context record'), ...kept]
}
