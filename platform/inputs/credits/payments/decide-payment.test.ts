import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { withAccount } from '#platform/inputs/credits/open-account.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { addOrganization } from '#platform/program/testing/finished-runs.ts'
import { event, type Facts, openTestPayments, type TestPayments } from '#platform/program/testing/test-payments.ts'
import { openTestDatabase } from '#platform/program/testing/test-database.ts'
import { decidePayment } from './decide-payment.ts'
import { listMismatched } from './list-mismatched.ts'
import { decideMismatched } from './store.ts'

let db: Database
let desk: TestPayments
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openTestDatabase())
  desk = openTestPayments(db)
})
afterAll(() => close())

describe('the operator', () => {
  const decide = (session: string, decision: 'accepted' | 'rejected', usd?: string) =>
    decidePayment({ db }, { session, decision, usd })

  async function aMismatch(facts: Facts = { cents: 2501 }) {
    const organization = await desk.anOrganizationWithAdmin()
    const id = await desk.aSession(organization.organizationId)
    await desk.deliver(event(id, facts))
    return { ...organization, id }
  }

  test('an operator sees the requested and the paid amount until the payment is decided', async () => {
    const { id } = await aMismatch()
    const { id: euros } = await aMismatch({ currency: 'eur' })
    const linesOf = async (...ids: string[]) =>
      (await listMismatched({ db })).filter((line) => ids.some((each) => line.startsWith(each)))
    expect(await linesOf(id, euros)).toEqual([
      expect.stringMatching(/  requested \$25\.00, paid \$25\.01 at /),
      expect.stringMatching(/  requested \$25\.00, paid 2500 in the smallest unit of EUR at /),
    ])
    await decide(id, 'rejected')
    await decide(euros, 'accepted', '27')
    expect(await linesOf(id, euros)).toEqual([])
  })

  test('an accepted payment posts the paid amount once, however often it is decided or notified', async () => {
    const { id, organizationId, notifications } = await aMismatch()
    await Promise.all([decide(id, 'accepted'), decide(id, 'accepted'), desk.deliver(event(id)), decide(id, 'accepted')])
    await desk.deliver(event(id, { cents: 2501 }))
    expect(await decide(id, 'accepted')).toBe(25_010_000n)
    expect([await desk.statuses(organizationId), await desk.onDemand(organizationId)]).toEqual([
      { [id]: 'posted' },
      25_010_000n,
    ])
    expect((await notifications()).slice(1)).toEqual([
      { type: 'credit.posted', payload: { amount_micros: '25010000', origin: 'top_up' } },
    ])
  })

  test('a rejected payment never posts credit, and the admins are notified', async () => {
    const { id, organizationId, notifications } = await aMismatch()
    await decide(id, 'rejected')
    await decide(id, 'rejected')
    await desk.deliver(event(id))
    expect([await desk.statuses(organizationId), await desk.onDemand(organizationId)]).toEqual([
      { [id]: 'rejected' },
      0n,
    ])
    expect((await notifications()).slice(1)).toEqual([
      { type: 'credit.withheld', payload: expect.objectContaining({ decision: 'rejected' }) },
    ])
  })

  test('of two opposite decisions at once, one is refused and the other one is kept', async () => {
    const { id, organizationId } = await aMismatch()
    const outcomes = await Promise.allSettled([decide(id, 'accepted'), decide(id, 'rejected')])
    const refused = outcomes.find(({ status }) => status === 'rejected')
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(refused).toMatchObject({ reason: { code: 'already_exists' } })
    const posted = outcomes[0].status === 'fulfilled' ? 25_010_000n : 0n
    expect(await desk.onDemand(organizationId)).toBe(posted)
  })

  test('accepting needs a value for a payment in another currency, and refuses one for a payment in dollars', async () => {
    const { id, organizationId } = await aMismatch({ currency: 'eur' })
    await expect(decide(id, 'accepted')).rejects.toMatchObject({ code: 'invalid_argument' })
    await expect(decide(id, 'accepted', '0')).rejects.toMatchObject({ code: 'invalid_argument' })
    await decide(id, 'accepted', '27.10')
    await expect(decide(id, 'accepted', '99')).rejects.toMatchObject({ code: 'already_exists' })
    expect(await desk.onDemand(organizationId)).toBe(27_100_000n)
    await expect(decide((await aMismatch()).id, 'accepted', '25.01')).rejects.toMatchObject({
      code: 'invalid_argument',
    })
  })

  test('a decision on an unknown payment, or on one that matches its request, is refused', async () => {
    await expect(decide('cs_nobody', 'accepted')).rejects.toMatchObject({ code: 'not_found' })
    const id = await desk.aSession(await addOrganization(db))
    await expect(decide(id, 'accepted')).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  test('a kill between the decision and the posting is repaired when the account is next opened', async () => {
    const { id, organizationId } = await aMismatch()
    await decideMismatched(db, id, 25_010_000n)
    expect(await desk.onDemand(organizationId)).toBe(0n)
    await db.transaction((tx) => withAccount(tx, organizationId, () => {}))
    expect([await decide(id, 'accepted'), await desk.onDemand(organizationId)]).toEqual([25_010_000n, 25_010_000n])
  })
})
