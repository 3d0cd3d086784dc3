import { setTimeout as delay } from 'node:timers/promises'

import type { Context, Services } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { preconditionFailed } from '#platform/ground/failures/failure.ts'
import { requireOperator } from '#platform/people/identity/require-operator.ts'
import { deleteRemovedBlobs, noteRemovedBlobs } from '#platform/results/retention/forget-removals.ts'
import { reindex } from '#platform/analysis/projection/reindex.ts'
import { cancelRunsOf } from '#platform/queue/run-queue/end-or-request-cancel.ts'
import { deleteRequests } from '#platform/queue/run-queue/delete-requests.ts'
import { plural, removed, removedSome } from './removal-lines.ts'
import { countLabeledRuns, countOthersWork, type MadeByDemo } from './others-work-store.ts'
import { lockExperiment, removeExperiment, removeNotifications, removeRecord } from './removal-store.ts'
import { removeSuggestions, stampMembers } from './removal-store.ts'
import { removeSpend } from './remove-spend.ts'
import { removeUnchanged } from './remove-unchanged.ts'
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
  const lines = await context.db.transaction((tx) => removeItems({ ...context, db: tx }, items))
  await reindex(services, organizationId)
  await deleteRemovedBlobs(services)
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

async function removeItems(context: Context, items: readonly DemoItem[]): Promise<string[]> {
  const { db: tx, organization } = context
  const of = (kind: DemoItem['kind']) => items.filter((item) => item.kind === kind)
  const idsOf = (kind: DemoItem['kind']) => of(kind).map(({ itemId }) => itemId)
  const lines: string[] = []
  const keptIds = new Set<string>()
  for (const kind of ['report', 'insight', 'secret'] as const) {
    const result = await removeUnchanged(context, kind, of(kind), idsOf('comment'))
    lines.push(...result.lines)
    result.keptIds.forEach((id) => keptIds.add(id))
  }
  const { runIds, labeledIds, ...requests } = await removeRequests(tx, of('request'))
  lines.push(...requests.lines)
  labeledIds.forEach((id) => keptIds.add(id))
  lines.push(...(await removeExperiments(context, of('experiment'), { versions: idsOf('version'), labeledIds })))
  lines.push(...removedSome(await removeSuggestions(tx, idsOf('suggestion')), 'suggestion'))
  lines.push(...(await removeRecords(tx, of('record'))))
  const subjects = ['request', 'insight', 'report', 'suggestion'] as const
  // Demos of earlier releases announced themselves.
  const sources = idsOf('announcement').map((reference) => `announcement:${reference}`)
  const gone = subjects.flatMap(idsOf).filter((id) => !keptIds.has(id))
  lines.push(...removedSome(await removeNotifications(tx, gone, sources), 'notification'))
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
  return lines
}

/** A request with a run that a person labeled stays, because the label is their work. */
async function removeRequests(tx: Database, items: readonly DemoItem[]) {
  const idsOf = (some: readonly DemoItem[]) => some.map(({ itemId }) => itemId)
  const labeledRuns = await countLabeledRuns(tx, idsOf(items))
  const unlabeled = items.filter(({ itemId }) => !labeledRuns.has(itemId))
  const { runIds, blobKeys, requestCount } = await deleteRequests(tx, idsOf(unlabeled))
  await noteRemovedBlobs(tx, blobKeys)
  const kept = items.flatMap(({ itemId, name }) => {
    const count = labeledRuns.get(itemId)
    return count ? [`Kept the run request "${name}", because people labeled ${plural(count, 'run')} of it`] : []
  })
  const gone = requestCount > 0 ? [removed(requestCount, 'run request') + ` with ${plural(runIds.length, 'run')}`] : []
  return { runIds, labeledIds: [...labeledRuns.keys()], lines: [...gone, ...kept] }
}

async function removeExperiments({ db: tx, organization }: Context, items: readonly DemoItem[], made: MadeByDemo) {
  let count = 0
  const kept: string[] = []
  for (const { itemId: experimentId } of items) {
    const key = { organizationId: organization.id, experimentId }
    const [experiment] = await lockExperiment(tx, key)
    if (!experiment) continue
    const work = await countOthersWork(tx, key, made)
    const others = Object.entries(work).filter(([, number]) => number > 0)
    if (others.length === 0) {
      await removeExperiment(tx, key)
      count += 1
    } else {
      const what = others.map(([noun, number]) => `${noun} (${number})`).join(', ')
      const gone = work.labels > 0 ? "the demo's other runs" : "the demo's runs"
      kept.push(`Kept the experiment "${experiment.name}" without ${gone}, because it has your own ${what}`)
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
