import { callerOfPerson } from '#platform/ground/context/caller.ts'
import { randomUUID } from 'node:crypto'

import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import type { BulkAction } from '#contract/bulk-actions.ts'
import { bulkActions } from '#platform/ground/database/tables/bulk-actions.ts'
import { budgets } from '#platform/ground/database/tables/budgets.ts'
import { runRequests } from '#platform/ground/database/tables/runs.ts'
import { ended, failed, openBulkActions, solved } from '#platform/program/testing/bulk-actions.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { performBatch } from './perform-batch.ts'
import { estimateGroups } from './rerun-groups.ts'
import { findSelectedRuns } from './selected-runs-store.ts'

const { platform, member, person, post, submit, propose, start, show, work, doAll, runsOf, idsOf, setRuns } =
  await openBulkActions()
afterAll(() => platform.close())

test('runs again keep version, variant, flags and budget, as one request for each', async () => {
  const requestId = await submit('again', { mock: true, repeat: 2 })
  const all = await runsOf(requestId)
  await setRuns(
    all.slice(0, 3).map(({ id }) => id),
    solved,
  )
  await platform.request('POST', '/experiments', { yaml: `${twoByTwo('again')}\ndescription: newer\n` })
  const before = await platform.services.db.$count(runRequests)
  const done = await doAll({ kind: 'rerun' }, '?experiment_id=again')
  expect(done).toMatchObject({
    state: 'done',
    touched: 3,
    olderVersions: 3,
    cost: { currency: 'USD', heldMicros: '0' },
    leftOut: [{ reason: 'not ended yet', runs: 5 }],
    progress: { done: 3 },
  })
  expect(await platform.services.db.$count(runRequests)).toBe(before + 1)
  const again = await runsOf(done.runRequestIds[0] ?? '')
  const facts = ({ variantId, fingerprint, mock }: (typeof all)[number]) => ({ variantId, fingerprint, mock })
  expect(again.map(facts)).toEqual(all.slice(0, 3).map(facts))
  expect(again.map(({ repeat }) => repeat)).toEqual([1, 2, 1])
  expect(again.every(({ status }) => status === 'queued')).toBe(true)
})

test('what failed is what was not solved, what errored, or both', async () => {
  const requestId = await submit('choices', { mock: true, repeat: 2 })
  const [a = '', b = '', c = '', d = '', e = ''] = await idsOf(requestId)
  await setRuns([a], solved)
  await setRuns([b], failed)
  await setRuns([c], { ...failed, status: 'errored' })
  await setRuns([d], { ...ended, status: 'errored', infrastructureCause: 'worker_lost' })
  await setRuns([e], { ...ended, status: 'canceled' })
  const touched = async (choice: string) =>
    (await propose({ kind: 'rerun', choice }, '?experiment_id=choices&status=completed,errored,canceled')).touched
  expect(await Promise.all(['all', 'failed', 'unsolved', 'errored'].map(touched))).toEqual([5, 3, 2, 2])
  const { leftOut } = await propose(
    { kind: 'rerun', choice: 'failed' },
    '?experiment_id=choices&status=completed,errored,canceled',
  )
  expect(leftOut).toEqual([
    { reason: 'solved', runs: 1 },
    { reason: 'canceled', runs: 1 },
  ])
})

test('real runs again hold their credit, and are refused without enough of it', async () => {
  const requestId = await submit('priced', { mock: false, repeat: 1 })
  const ids = await idsOf(requestId)
  await setRuns(ids, solved)
  const action = await propose({ kind: 'rerun' }, '?experiment_id=priced')
  expect(Number(action.cost?.heldMicros)).toBeGreaterThan(0)
  expect(Number(action.cost?.availableMicros)).toBeGreaterThan(0)
  const byMember = await propose({ kind: 'rerun' }, '?experiment_id=priced', member)
  expect(byMember.cost?.availableMicros).toBeUndefined()
  const needed = BigInt(action.cost?.availableMicros ?? 0) + 1n
  await platform.services.db
    .update(bulkActions)
    .set({ plan: { selected: 4, statusCounts: {}, leftOut: [], heldMicros: String(needed) } })
    .where(eq(bulkActions.id, byMember.id))
  const refused = await start(byMember.id, {}, member)
  expect([refused.status, refused.json.error]).toEqual([429, 'resource_exhausted'])
  expect(refused.json.message).toContain('may cost')
  expect((await show(action.id)).state).toBe('proposed')
  await start(action.id)
  await work()
  expect(await show(action.id)).toMatchObject({ state: 'done', progress: { done: 4 } })
})

/** A hard budget of the organization's or an experiment's month, for as long as `act` takes. */
async function withBudget(monthlyLimitUsd: number, act: () => Promise<void>, experiment?: string) {
  const { db } = platform.services
  const id = randomUUID()
  const scope = experiment === undefined ? 'organization' : 'experiment'
  const of = { organizationId: platform.organization.id, scope, key: experiment ?? '' } as const
  await db
    .insert(budgets)
    .values({ ...of, id, monthlyLimitUsd, isHard: true, warnAtPercent: 80, updatedAt: ended.endedAt })
  try {
    await act()
  } finally {
    await db.delete(budgets).where(eq(budgets.id, id))
  }
}

test('real runs again are refused at the start if together they exceed a hard budget', async () => {
  const real = { mock: false }
  const requestIds = [await submit('budgeted', real), await submit('budgeted-too', real), await submit('budgeted')]
  const runUuids = (await Promise.all(requestIds.map(idsOf))).flat()
  await setRuns(runUuids, solved)
  const action = await propose({ kind: 'rerun', runUuids })
  expect(action.touched).toBe(12)
  const cost = Number(action.cost?.heldMicros) / 1e6
  const refusal = async () => {
    const { status, json } = await start(action.id)
    expect([status, json.error]).toEqual([429, 'resource_exhausted'])
    return json.message as string
  }
  const reservedUsd = await readReserved()
  await withBudget(reservedUsd + cost * 0.6, async () =>
    expect(await refusal()).toMatch(/^These 8 runs may cost .* the monthly budget of the organization has/),
  )
  const ofOne = async () =>
    expect(await refusal()).toMatch(/^These 4 runs may cost .* the monthly budget of the experiment “budgeted-too” has/)
  await withBudget(cost * 0.4, ofOne, 'budgeted-too')
  const startAll = async () => expect((await start(action.id)).status).toBe(200)
  await withBudget(cost * 0.6, startAll, 'budgeted-too')
  await work()
})

async function readReserved(): Promise<number> {
  let reserved = 0
  await withBudget(1000, async () => {
    const { budgets: shown } = (await platform.request('GET', '/admin/v1/budgets')).json
    reserved = shown[0].reservedUsd
  })
  return reserved
}

test('the reasons that everybody reads tell no amounts, even when an admin runs them again', async () => {
  await setRuns(await idsOf(await submit('private', { mock: false })), solved)
  const problemsOf = async (id: string) => {
    const { json } = await platform.request('GET', `/bulk-actions/${id}`, { key: member })
    return (json as BulkAction).problems
  }
  const first = await propose({ kind: 'rerun' }, '?experiment_id=private')
  await start(first.id)
  await withBudget(0.001, work)
  expect(await problemsOf(first.id)).toEqual([
    { state: 'failed', runs: 4, reason: expect.stringMatching(/^These 4 runs would exceed [^$]*Ask an admin/) },
  ])
  const second = await propose({ kind: 'rerun' }, '?experiment_id=private')
  await start(second.id)
  const creditTerms = { ...platform.services.creditTerms, runRate: 10_000_000 }
  while (await performBatch({ ...platform.services, creditTerms }));
  const [problem] = await problemsOf(second.id)
  expect(problem).toMatchObject({
    state: 'failed',
    runs: 4,
    reason: expect.stringContaining('Ask an admin to top it up'),
  })
  expect(problem?.reason).not.toMatch(/available|held|missing/)
})

/** The runs of a submission, each in a request with a budget of its own. */
async function spread(experiment: string, repeat: number, mock: boolean) {
  const { db } = platform.services
  const requestId = await submit(experiment, { mock, repeat })
  const ids = await idsOf(requestId)
  const [request] = await db.select().from(runRequests).where(eq(runRequests.id, requestId))
  if (!request) throw new Error('there is a request')
  const requests = ids.map((_, index) => ({ ...request, id: randomUUID(), maxCostUsd: index + 1 }))
  await db.insert(runRequests).values(requests)
  for (const [index, { id }] of requests.entries()) await setRuns([ids[index] ?? ''], { ...solved, requestId: id })
  return ids
}

test('a proposal of many requests reads each version and the charges of each experiment once', async () => {
  const { db } = platform.services
  const runIds = await spread('many-requests', 3, false)
  const selected = await findSelectedRuns(db, { organizationId: platform.organization.id, runIds })
  let queries = 0
  const counting = new Proxy(db, {
    get(target, name) {
      if (['select', 'selectDistinct', 'execute', 'transaction'].includes(String(name))) queries += 1
      return Reflect.get(target, name)
    },
  })
  const organization = { ...platform.organization, name: 'Lab', role: 'admin' as const }
  const actor = { id: person, email: 'ann@lab.example', name: 'Ann' }
  const caller = callerOfPerson(actor, [organization])
  const context = { ...platform.services, db: counting, organization, caller }
  const countFor = async (count: number) => {
    queries = 0
    const { groups } = await estimateGroups(context, selected.slice(0, count))
    expect(groups).toHaveLength(count)
    return queries
  }
  expect(await countFor(12)).toBe(await countFor(1))
})

test('runs of more than 500 requests cannot run again at once', async () => {
  const [, ...runUuids] = await spread('too-many-requests', 126, true)
  const { status, json } = await post('/bulk-actions', { kind: 'rerun', runUuids })
  expect([status, json.error]).toEqual([400, 'invalid_argument'])
  expect(json.message).toMatch(/^These runs need 503 run requests, .* at most 500: add a filter$/)
  expect((await propose({ kind: 'rerun', runUuids: runUuids.slice(0, 500) })).touched).toBe(500)
})
