import { randomUUID } from 'node:crypto'

import { eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import type { Budget } from '#contract/budgets.ts'
import { runUsage } from '#platform/ground/database/tables/credits.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import { notificationEvents } from '#platform/ground/database/tables/notifications.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'
import { sumSpending } from './store.ts'
import { type Seen, warnOfBudgets } from './warn-of-budgets.ts'

let db: TestPlatform['services']['db']
let member: string
let memberId: string
let adminId: string
const platform = await openTestPlatform()
beforeAll(async () => {
  db = platform.services.db
  member = await platform.newKey({ role: 'member', email: 'max@lab.example' })
  const idOf = async (key: string) => (await platform.request('GET', '/whoami', { key })).json.actor.id as string
  memberId = await idOf(member)
  adminId = await idOf(platform.admin)
  for (const id of ['one', 'two']) await platform.request('POST', '/experiments', { yaml: twoByTwo(id) })
})
afterAll(() => platform.close())

const call = (method: 'GET' | 'PUT' | 'DELETE', path = '', body?: unknown, key = platform.admin) =>
  platform.request(method, `/admin/v1/budgets${path}`, { key, body })

async function set(body: object): Promise<Budget> {
  const { status, json } = await call('PUT', '', { monthlyLimitUsd: 100, ...body })
  expect(status, JSON.stringify(json)).toBe(200)
  return json as Budget
}

const list = async () => {
  const { status, text, json } = await call('GET')
  expect(status, text).toBe(200)
  return json.budgets as Budget[]
}

/** A run that ended so many days ago and cost so many dollars. */
const spend = (
  dollars: number,
  {
    organizationId = platform.organization.id,
    userId = adminId,
    experimentId = 'one',
    daysAgo = 0,
    model = null as string | null,
  } = {},
  tx = db,
) =>
  tx.insert(runUsage).values({
    runId: randomUUID(),
    organizationId,
    experimentId,
    userId,
    model,
    modelMicros: BigInt(Math.round(dollars * 500_000)),
    infrastructureMicros: BigInt(Math.round(dollars * 250_000)),
    byokMicros: BigInt(Math.round(dollars * 250_000)),
    endedAt: sql`clock_timestamp() - ${daysAgo} * interval '1 day'`,
  })

const submit = (experimentId: string, key = platform.admin, body: object = {}) =>
  platform.request('POST', `/experiments/${experimentId}/runs`, { key, body })

async function clear() {
  for (const { id } of await list()) await call('DELETE', `/${id}`)
  await db.delete(runUsage)
}

test('budgets count this month’s runs of their scope, from both kinds of keys, and of no other month', async () => {
  await clear()
  await spend(10)
  await spend(5, { userId: memberId, experimentId: 'two' })
  await spend(1000, { daysAgo: 40 })
  await set({ scope: 'organization' })
  await set({ scope: 'person', key: memberId })
  await set({ scope: 'experiment', key: 'one' })
  expect((await list()).map(({ scope, label, spentUsd }) => [scope, label, spentUsd])).toEqual([
    ['organization', '', 15],
    ['person', 'max', 5],
    ['experiment', 'Two by two', 10],
  ])
})

test('the forecast adds the days that are left at the pace of the last seven', async () => {
  await clear()
  await spend(14)
  const { spentUsd, forecastUsd } = await set({ scope: 'organization' })
  const now = new Date()
  const monthEnd = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
  expect(forecastUsd - spentUsd).toBeCloseTo((2 * (monthEnd - now.getTime())) / 86_400_000, 2)
})

test('a personal budget whose id is sent in upper case counts the runs of that person', async () => {
  await clear()
  await spend(5, { userId: memberId })
  const budget = await set({ scope: 'person', key: memberId.toUpperCase(), monthlyLimitUsd: 5, isHard: true })
  expect(budget).toMatchObject({ key: memberId, label: 'max', spentUsd: 5 })
  expect((await submit('one', member)).status).toBe(429)
  await set({ scope: 'person', key: memberId })
  expect(await list()).toHaveLength(1)
})

test('setting a budget again replaces it, and two at once leave one', async () => {
  await clear()
  await Promise.all([1, 2, 3].map((limit) => set({ scope: 'organization', monthlyLimitUsd: limit })))
  const [only, ...others] = await list()
  expect(others).toEqual([])
  expect([1, 2, 3]).toContain(only?.monthlyLimitUsd)
})

test.for([
  [{ scope: 'organization', key: 'x' }, 400, 'Leave out `key`: the organization has one budget'],
  [{ scope: 'experiment' }, 400, 'Send `key`: the id of the experiment'],
  [{ scope: 'experiment', key: 'nothing' }, 404, 'Experiment "nothing" does not exist'],
  [{ scope: 'person', key: 'nobody' }, 404, 'There is no such member'],
  [{ scope: 'organization', monthlyLimitUsd: 0 }, 400, '`monthlyLimitUsd` must be more than 0'],
] as const)('%j is refused', async ([body, expected, message]) => {
  const { status, json } = await call('PUT', '', { monthlyLimitUsd: 1, ...body })
  expect([status, json.message]).toEqual([expected, message])
})

test('a hard budget refuses real runs once it is spent, allows mock runs, and tells members no amounts', async () => {
  await clear()
  await spend(9.9999)
  await set({ scope: 'organization', monthlyLimitUsd: 10, isHard: true })
  // Each of the four runs would reserve $0.0012.
  const refused = await submit('one')
  expect([refused.status, refused.json.error]).toEqual([429, 'resource_exhausted'])
  expect(refused.json.message).toContain('the monthly budget of the organization has $0.00010 left of $10.00')
  const asMember = await submit('one', member)
  expect(asMember.json.message).toBe(
    'These 4 runs would exceed the monthly budget of the organization. Ask an admin to raise it, or use mock runs, which cost nothing',
  )
  expect((await submit('one', member, { mock: true })).status).toBe(202)
  await set({ scope: 'organization', monthlyLimitUsd: 10, isHard: false })
  expect((await submit('one', member)).status).toBe(202)
})

test('a hard budget reserves the likely cost on the experiment’s own key too', async () => {
  await clear()
  await platform.request('PUT', '/secrets/own', { body: { value: 'sk-own' } })
  const yaml = twoByTwo('own').replaceAll(/(command: .*)/g, '$1\n    env: {ANTHROPIC_API_KEY: assay://secrets/own}')
  await platform.request('POST', '/experiments', { yaml: yaml.replace(/tests:[^]*$/, '') })
  // Without a history, each of the four runs may cost $0.50 of model.
  await set({ scope: 'experiment', key: 'own', monthlyLimitUsd: 3, isHard: true })
  expect((await submit('own')).status).toBe(202)
  const [budget] = await list()
  expect(budget?.reservedUsd).toBeCloseTo(2.0048, 9)
  expect((await submit('own')).status).toBe(429)
})

test('a budget of one person or experiment refuses no other runs', async () => {
  await clear()
  await spend(5, { userId: memberId, experimentId: 'two' })
  await set({ scope: 'person', key: memberId, monthlyLimitUsd: 5, isHard: true })
  expect((await submit('one', member)).status).toBe(429)
  expect((await submit('one')).status).toBe(202)
  await clear()
  await spend(5, { experimentId: 'two' })
  await set({ scope: 'experiment', key: 'two', monthlyLimitUsd: 5, isHard: true })
  expect((await submit('two')).status).toBe(429)
  expect((await submit('one')).status).toBe(202)
})

test('submissions at once do not reserve more than a hard budget has left', async () => {
  await clear()
  const before = await set({ scope: 'organization', monthlyLimitUsd: 1000, isHard: true })
  // Room for two requests of four runs at $0.0012.
  await set({ scope: 'organization', monthlyLimitUsd: before.reservedUsd + 0.0097, isHard: true })
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => submit('one')))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 202, 429, 429, 429])
  const [after] = await list()
  expect(after?.reservedUsd).toBeLessThanOrEqual(after?.monthlyLimitUsd ?? 0)
})

test('runs that end while spending is read are each counted once', async () => {
  await clear()
  await platform.request('POST', '/experiments', { yaml: twoByTwo('ending') })
  const { json } = await submit('ending', platform.admin, { repeat: 5 })
  const total = async () =>
    (await sumSpending(db, platform.organization.id))
      .filter(({ experimentId }) => experimentId === 'ending')
      .reduce((sum, { month, reserved }) => sum + month + reserved, 0)
  const before = await total()
  const ofRequest = eq(runs.requestId, json.runRequestId)
  const ids = (await db.select({ id: runs.id }).from(runs).where(ofRequest)).map(({ id }) => id)
  expect(before).toBeGreaterThan(0)
  const endAll = async () => {
    for (const id of ids)
      await db.transaction(async (tx) => {
        await spend(before / ids.length, { experimentId: 'ending' }, tx)
        await tx.update(runs).set({ status: 'completed' }).where(eq(runs.id, id))
      })
  }
  const ending = endAll()
  for (const _ of ids) expect(await total()).toBeCloseTo(before, 5)
  await ending
  expect(await total()).toBeCloseTo(before, 5)
})

test('admins are warned at the percentage and at the limit, once each, and again after a change', async () => {
  await clear()
  const budget = await set({ scope: 'person', key: memberId, monthlyLimitUsd: 10, warnAtPercent: 50 })
  const warnings = async () =>
    (
      await db
        .select({ payload: notificationEvents.payload })
        .from(notificationEvents)
        .where(eq(notificationEvents.subjectId, budget.id))
        .orderBy(notificationEvents.occurredAt)
    ).map(({ payload }) => (payload as { percent: number }).percent)
  const look = () => Promise.all([1, 2, 3].map(() => warnOfBudgets(platform.services)))
  await look()
  expect(await warnings()).toEqual([])
  await spend(6, { userId: memberId })
  await look()
  await look()
  expect(await warnings()).toEqual([60])
  await spend(6, { userId: memberId })
  await look()
  expect(await warnings()).toEqual([60, 120])
  await set({ scope: 'person', key: memberId, monthlyLimitUsd: 20, warnAtPercent: 50 })
  await look()
  expect(await warnings()).toEqual([60, 120, 60])
  const { json } = await platform.request('GET', '/notifications', { key: member })
  expect(json.entries.filter(({ type }: { type: string }) => type === 'budget.spent')).toHaveLength(3)
})

test('an organization whose budgets cannot be checked holds up no other', async () => {
  await clear()
  const { id: elsewhere } = await createOrganization(platform.services, { slug: 'elsewhere' })
  const boss = await platform.newKey({ email: 'boss@elsewhere.example', organizations: ['elsewhere'] })
  const budgetIds: string[] = []
  for (const key of [platform.admin, boss]) {
    const { json } = await call('PUT', '', { scope: 'organization', monthlyLimitUsd: 1 }, key)
    budgetIds.push(json.id)
  }
  await spend(2)
  await spend(2, { organizationId: elsewhere })
  let faults = 0
  const transaction: typeof db.transaction = (...work) => {
    faults += 1
    return faults === 1 ? Promise.reject(new Error('unlucky')) : db.transaction(...work)
  }
  const unlucky = new Proxy(db, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name).bind(target)),
  })
  const warned = () => db.$count(notificationEvents, inArray(notificationEvents.subjectId, budgetIds))
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  await warnOfBudgets({ db: unlucky })
  expect(logged).toHaveBeenCalledOnce()
  logged.mockRestore()
  expect(await warned()).toBe(1)
  await warnOfBudgets(platform.services)
  expect(await warned()).toBe(2)
})

test('a run that is stored after one that ended later still causes its warning', async () => {
  await clear()
  const budget = await set({ scope: 'organization', monthlyLimitUsd: 10 })
  const seen: Seen = new Map()
  const look = async () => {
    await warnOfBudgets(platform.services, seen)
    return db.$count(notificationEvents, eq(notificationEvents.subjectId, budget.id))
  }
  const minute = 1 / (24 * 60)
  await spend(1)
  expect(await look()).toBe(0)
  await spend(9, { daysAgo: minute / 2 })
  expect(await look()).toBe(1)
  expect(seen).toEqual(new Map())
})

test('an organization whose newest run ended more than two minutes ago needs no sums at the next look', async () => {
  await clear()
  await set({ scope: 'organization' })
  const seen: Seen = new Map()
  await spend(1, { daysAgo: 3 / (24 * 60) })
  await warnOfBudgets(platform.services, seen)
  expect([...seen.keys()]).toEqual([platform.organization.id])
})

test('members can neither read nor set budgets, and another organization’s cannot be deleted', async () => {
  await clear()
  const budget = await set({ scope: 'organization' })
  for (const answer of [
    await call('GET', '', undefined, member),
    await call('PUT', '', { scope: 'organization', monthlyLimitUsd: 1 }, member),
    await call('DELETE', `/${budget.id}`, undefined, member),
  ])
    expect([answer.status, answer.json.error]).toEqual([403, 'permission_denied'])
  await createOrganization(platform.services, { slug: 'other' })
  const stranger = await platform.newKey({ email: 'boss@other.example', organizations: ['other'] })
  expect((await call('DELETE', `/${budget.id}`, undefined, stranger)).status).toBe(404)
  expect((await call('GET', '', undefined, stranger)).json.budgets).toEqual([])
  const person = await db.select().from(users).where(eq(users.email, 'boss@other.example'))
  expect((await call('PUT', '', { scope: 'person', key: person[0]?.id, monthlyLimitUsd: 1 })).status).toBe(404)
  expect((await call('DELETE', `/${budget.id}`)).status).toBe(204)
})

test('a budget of a provider counts the runs of its models, and refuses those that it does not cover', async () => {
  for (const { id } of await list()) await call('DELETE', `/${id}`)
  await spend(3, { model: 'claude-sonnet-4-5' })
  await spend(5, { model: 'gpt-5' })
  const budget = await set({ scope: 'provider', key: 'anthropic', monthlyLimitUsd: 3, isHard: true })
  expect(budget).toMatchObject({ label: 'Anthropic', spentUsd: 3 })
  const yaml = 'id: provided\nname: Provided\nagents: [{id: a, command: [x]}]\nmodels: [claude-sonnet-4-5, gpt-5]\n'
  await platform.request('POST', '/experiments', { yaml })
  const refused = await submit('provided', platform.admin, { models: ['claude-sonnet-4-5'] })
  expect([refused.status, refused.json.message]).toEqual([
    429,
    expect.stringContaining('budget for Anthropic models has $0.00'),
  ])
  expect((await submit('provided', platform.admin, { models: ['gpt-5'] })).status).toBe(202)
  expect(await call('PUT', '', { scope: 'provider', key: 'nobody', monthlyLimitUsd: 1 })).toMatchObject({ status: 404 })
  await call('DELETE', `/${budget.id}`)
})

const disguised: [string, string][] = [
  ['another provider’s id', 'models: [{id: gpt-5-mini, provider: anthropic, also: [claude-opus-4-5]}]'],
  ['an unknown id', 'models: [{id: ours, provider: anthropic, apiKey: k}]'],
  ['another provider’s model beside it', 'models: [{id: gpt-5-mini, apiKey: k, also: [claude-opus-4-5]}]'],
  ['no model, and an own key', ''],
  ['a known id with an unknown one beside it', 'models: [{id: gpt-5-mini, also: [ours], env: {ANTHROPIC_API_KEY: k}}]'],
  ['a token that goes around the gateway', 'models: [{id: gpt-5-mini, env: {CLAUDE_CODE_OAUTH_TOKEN: k}}]'],
]

test.each(disguised)(
  'a run that a hard budget of its provider could not count is refused: %s',
  async (name, models) => {
    const id = `disguised-${disguised.findIndex(([each]) => each === name)}`
    const env = models === '' ? ', env: {ANTHROPIC_API_KEY: k}' : ''
    const yaml = `id: ${id}\nname: Disguised\nagents: [{id: a, command: [x]${env}}]\n${models}\n`
    expect((await platform.request('POST', '/experiments', { yaml })).status).toBe(200)
    const soft = await set({ scope: 'provider', key: 'anthropic', isHard: false })
    expect((await submit(id)).status).toBe(202)
    await set({ scope: 'provider', key: 'openai', isHard: true })
    expect((await submit(id)).status).toBe(202)
    await set({ scope: 'provider', key: 'anthropic', isHard: true })
    const before = (await platform.request('GET', '/runs')).json.runs.length
    const { status, json } = await submit(id)
    expect([status, json.message]).toEqual([
      412,
      expect.stringContaining('the monthly budget for Anthropic models could not'),
    ])
    expect((await platform.request('GET', '/runs')).json.runs).toHaveLength(before)
    expect((await submit(id, platform.admin, { mock: true })).status).toBe(202)
    await call('DELETE', `/${soft.id}`)
  },
)
