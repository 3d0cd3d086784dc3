import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'

import { toInstant } from '#platform/ground/database/instants.ts'
import { organizations } from '#platform/ground/database/tables/identity.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { cycleStart } from '#platform/inputs/credits/billing-cycles.ts'
import { grantCredit } from '#platform/inputs/credits/grant-credit.ts'
import { setPlan } from '#platform/inputs/credits/set-plan.ts'

let slug: string
let organizationId: string
let admin: string
let count = 0

const platform = await openTestPlatform()
afterAll(() => platform.close())

/** Creates an organization whose first cycle starts at the given moment. */
async function since(moment: string) {
  count += 1
  slug = `org-${count}`
  organizationId = (await createOrganization(platform.services, { slug })).id
  await platform.services.db
    .update(organizations)
    .set({ createdAt: moment })
    .where(eq(organizations.id, organizationId))
  admin = await platform.newKey({ organizations: [slug] })
}

const balance = (period?: string) =>
  platform.request('GET', `/credits/balance${period === undefined ? '' : `?period=${period}`}`, { key: admin })

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString()

describe('the balance', () => {
  beforeEach(() => since(daysAgo(75)))

  test('the balance of the current cycle is as of now, by bucket, in micros as strings', async () => {
    await grantCredit(platform.services, { organizationId, micros: 10_000_000n })
    const { status, json } = await balance()
    expect(status).toBe(200)
    expect(json).toMatchObject({
      currency: 'USD',
      totalBalanceMicros: '35000000',
      freeBalanceMicros: '25000000',
      planPaidBalanceMicros: '0',
      paidBalanceMicros: '10000000',
      cycleFundedMicros: '35000000',
      plan: 'free',
      heldMicros: '0',
      buckets: [
        { kind: 'base', balanceMicros: '25000000', expiresAt: json.periodEnd },
        { kind: 'on_demand', balanceMicros: '10000000' },
      ],
    })
    expect(Date.parse(json.asOf) < Date.parse(json.periodEnd)).toBe(true)
    expect(json.burnDown.at(-1)).toEqual({ at: json.asOf, balanceMicros: '35000000' })
  })

  test('the balance reports the same expiry for a cycle and its base credit, however the fraction of the second ends', async () => {
    await since(daysAgo(75).replace(/\d{3}Z$/, '490Z'))
    const { json } = await balance()
    expect(json.periodEnd).toMatch(/\.490000Z$/)
    expect(json.buckets).toMatchObject([{ kind: 'base', expiresAt: json.periodEnd }])
  })

  test('the balance of a closed cycle is as of its end, before its base credit expires', async () => {
    const { json: current } = await balance('current')
    const { json: previous } = await balance('previous')
    expect(previous.periodEnd).toBe(current.periodStart)
    expect(previous).toMatchObject({
      asOf: previous.periodEnd,
      totalBalanceMicros: '25000000',
      cycleFundedMicros: '25000000',
    })
  })

  test('the balance counts all credit funded during the cycle', async () => {
    await setPlan(platform.services, organizationId, 'paid')
    const { json } = await balance()
    expect(json).toMatchObject({ plan: 'paid', planPaidBalanceMicros: '125000000' })
    expect(BigInt(json.cycleFundedMicros) > 125_000_000n).toBe(true)
  })

  test('two balance requests at once create each cycle and grant only once', async () => {
    const answers = await Promise.all([balance(), balance(), balance('previous')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers[0]?.json.billingCycleId).toBe(answers[1]?.json.billingCycleId)
    expect((await balance()).json.totalBalanceMicros).toBe('25000000')
  })
})

describe('the period of a balance', () => {
  const born = '2026-03-31T09:00:00.000Z'
  beforeEach(() => since(born))

  test('a month as the period selects the cycle that starts in that UTC month', async () => {
    const { json } = await balance('2026-04')
    expect(json.periodStart).toBe('2026-04-30T09:00:00.000000Z')
    expect(json.periodEnd).toBe(toInstant(new Date(cycleStart(Date.parse(born), 2)).toISOString()))
  })

  test('a month in which two cycles start selects the later one', async () => {
    await setPlan(platform.services, organizationId, 'paid')
    const { json: upgraded } = await balance()
    const month = upgraded.periodStart.slice(0, 7)
    expect((await balance(month)).json.periodStart).toBe(upgraded.periodStart)
    expect((await balance('previous')).json.periodEnd).toBe(upgraded.periodStart)
  })

  test.each(['2026-4', '2026-13', '2026-00', '26-04', 'last', '', 'CURRENT', '2026-04-01', '2026-04%20'])(
    '400 invalid_argument for the period "%s"',
    async (period) => {
      expect(await balance(period)).toMatchObject({ status: 400, json: { error: 'invalid_argument' } })
    },
  )

  test.each(['2026-02', '0000-01', '9999-12'])(
    '404 not_found for the valid period %s without a cycle',
    async (period) => {
      expect(await balance(period)).toMatchObject({ status: 404, json: { error: 'not_found' } })
    },
  )

  test('404 not_found for the previous period when there is only one cycle', async () => {
    await since(daysAgo(1))
    expect((await balance('previous')).status).toBe(404)
  })
})

test('403 permission_denied when a member asks for the balance', async () => {
  await since(daysAgo(1))
  const member = await platform.newKey({ organizations: [slug], role: 'member' })
  const response = await platform.request('GET', '/credits/balance', { key: member })
  expect(response).toMatchObject({ status: 403, json: { error: 'permission_denied' } })
})

test('401 unauthenticated without an API key', async () => {
  const response = await platform.request('GET', '/credits/balance', { key: '', headers: { cookie: 'session=x' } })
  expect(response).toMatchObject({ status: 401, json: { error: 'unauthenticated' } })
})
