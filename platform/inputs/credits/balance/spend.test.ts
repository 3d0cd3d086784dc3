import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { creditHolds, runUsage } from '#platform/ground/database/tables/credits.ts'

let member: string
let ada: string
let max: string

const whoami = async (key: string) => (await platform.request('GET', '/whoami', { key })).json.actor.id as string
const spend = (query = '', key = platform.admin) => platform.request('GET', `/credits/spend${query}`, { key })

const platform = await openTestPlatform()
beforeAll(async () => {
  member = await platform.newKey({ role: 'member', email: 'max@lab.example' })
  ada = await whoami(platform.admin)
  max = await whoami(member)
  await platform.request('POST', '/experiments', { yaml: twoByTwo('roman') })
  await platform.request('POST', '/experiments', { yaml: twoByTwo('greek').replace('Two by two', 'Greek numerals') })
  await used('roman', ada, { model: 2_000_000n, infrastructure: 500_000n })
  await used('roman', max, { model: 1_000_000n, byok: 7_000_000n })
  await used('greek', max, { infrastructure: 250_000n })
})
afterAll(() => platform.close())

type Costs = { model?: bigint; infrastructure?: bigint; byok?: bigint }

async function used(experimentId: string, userId: string, { model = 0n, infrastructure = 0n, byok = 0n }: Costs) {
  const { db } = platform.services
  const runId = randomUUID()
  const organizationId = platform.organization.id
  await db.insert(creditHolds).values({ runId, organizationId, parts: [], runRate: 10, platformKey: false })
  const costs = { modelMicros: model, infrastructureMicros: infrastructure, byokMicros: byok }
  const endedAt = new Date().toISOString()
  await db.insert(runUsage).values({ runId, organizationId, experimentId, userId, ...costs, endedAt })
}

describe('spend for an admin', () => {
  test("an admin sees the organization's spend as one row, model and infrastructure together", async () => {
    const { status, json } = await spend()
    expect(status).toBe(200)
    expect(json).toMatchObject({
      currency: 'USD',
      groupBy: '',
      experimentId: '',
      userId: '',
      totalManagedSpendMicros: '3750000',
      totalByokAttributionMicros: '0',
      series: [{ key: 'total', label: 'Total', managedSpendMicros: '3750000', byokAttributionMicros: '0' }],
    })
  })

  test('an admin may group spend by experiment', async () => {
    const { json } = await spend('?group_by=experiment&include_byok=true')
    expect(json.series).toEqual([
      {
        key: 'roman',
        label: 'Two by two',
        managedSpendMicros: '3500000',
        computeMicros: '500000',
        modelMicros: '3000000',
        byokAttributionMicros: '7000000',
      },
      {
        key: 'greek',
        label: 'Greek numerals',
        managedSpendMicros: '250000',
        computeMicros: '250000',
        modelMicros: '0',
        byokAttributionMicros: '0',
      },
    ])
    expect([json.groupBy, json.totalByokAttributionMicros]).toEqual(['experiment', '7000000'])
  })

  test('an admin may group spend by user, and select one by id or email', async () => {
    const { json } = await spend('?group_by=user')
    expect(json.series.map(({ key }: { key: string }) => key)).toEqual([ada, max])
    const byId = await spend(`?user=${max}`)
    expect(byId.json).toMatchObject({ userId: max, totalManagedSpendMicros: '1250000' })
    expect((await spend('?user=MAX@lab.example')).json).toEqual(byId.json)
  })

  test('an admin may select an experiment by id or exact display name', async () => {
    const byName = await spend('?experiment=Greek%20numerals')
    expect(byName.json).toMatchObject({ experimentId: 'greek', totalManagedSpendMicros: '250000' })
    expect((await spend('?experiment=greek')).json).toEqual(byName.json)
    expect((await spend('?experiment=greek%20numerals')).status).toBe(404)
  })

  test('404 not_found for an unknown experiment, and the same for an unknown user as for one of another organization', async () => {
    await createOrganization(platform.services, { slug: 'elsewhere' })
    await platform.newKey({ organizations: ['elsewhere'], email: 'eve@elsewhere.example' })
    expect((await spend('?experiment=none')).json.error).toBe('not_found')
    const [other, nobody] = [await spend('?user=eve@elsewhere.example'), await spend('?user=nobody@lab.example')]
    expect([other.status, other.json.message]).toEqual([404, nobody.json.message])
  })
})

describe('spend for a member', () => {
  test('a member sees only their own spend, with their own user id in the response', async () => {
    const { json } = await spend('?include_byok=true', member)
    expect(json).toMatchObject({
      userId: max,
      totalManagedSpendMicros: '1250000',
      totalByokAttributionMicros: '7000000',
    })
    const { json: grouped } = await spend('?group_by=experiment', member)
    expect(grouped.series.map(({ managedSpendMicros }: { managedSpendMicros: string }) => managedSpendMicros)).toEqual([
      '1000000',
      '250000',
    ])
  })

  test('a member may name themselves, by id or email', async () => {
    expect((await spend(`?user=${max}`, member)).status).toBe(200)
    expect((await spend('?user=Max@Lab.example', member)).status).toBe(200)
  })

  test('403 permission_denied when a member groups spend by user', async () => {
    expect(await spend('?group_by=user', member)).toMatchObject({ status: 403, json: { error: 'permission_denied' } })
  })

  test('403 permission_denied when a member names another user, byte for byte the same whether or not that user exists', async () => {
    const headers = { 'x-request-id': 'the-same-request' }
    const names = [ada, 'person1@lab.example', randomUUID(), 'nobody@lab.example', 'not an id']
    const answers = await Promise.all(
      names.map((name) =>
        platform.request('GET', `/credits/spend?user=${encodeURIComponent(name)}`, { key: member, headers }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })
})

test.each(['?group_by=team', '?include_byok=yes', '?period=2026-1'])(
  '400 invalid_argument for the spend query %s',
  async (query) => {
    expect(await spend(query)).toMatchObject({ status: 400, json: { error: 'invalid_argument' } })
  },
)

test('404 not_found for the spend of a month with no cycle', async () => {
  expect((await spend('?period=2001-01')).json.error).toBe('not_found')
})
