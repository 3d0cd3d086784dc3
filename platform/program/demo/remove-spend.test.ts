import { randomUUID } from 'node:crypto'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { getBalance } from '#platform/inputs/credits/balance/get-balance.ts'
import { grantCredit } from '#platform/inputs/credits/grant-credit.ts'
import { creditHolds, creditPostings, runUsage } from '#platform/ground/database/tables/credits.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import { removeSpend } from './remove-spend.ts'

let opened: Awaited<ReturnType<typeof openTestContext>>
beforeEach(async () => {
  opened = await openTestContext()
})
afterEach(() => opened.close())

/** Records a run that cost 2 USD, and brings the ledger up to date. */
async function spend() {
  const { db, organization, caller } = opened.context
  const runId = randomUUID()
  const of = { runId, organizationId: organization.id }
  await db.insert(creditHolds).values({ ...of, parts: [], runRate: 10, platformKey: true })
  await db.insert(runUsage).values({
    ...of,
    experimentId: 'x',
    userId: caller.recordedUnder,
    modelMicros: 2_000_000n,
    infrastructureMicros: 0n,
    byokMicros: 0n,
    endedAt: new Date().toISOString(),
  })
  await getBalance(opened.context, {})
  return runId
}

const remove = (runIds: readonly string[]) =>
  opened.context.db.transaction((tx) => removeSpend(tx, opened.context.organization.id, runIds))
const balance = async () => (await getBalance(opened.context, {})).totalBalanceMicros

test('a ledger with nothing but the removed runs is deleted, and the next use opens a new one', async () => {
  const runId = await spend()
  expect(await balance()).toBe('23000000')
  expect(await remove([runId])).toEqual(["Removed the demo's spend of $2.00; the next run opens a new credit account"])
  expect(await opened.context.db.$count(creditPostings)).toBe(0)
  expect(await balance()).toBe('25000000')
})

test.each([
  ['a run of a person', spend],
  [
    'a grant of the operator',
    () => grantCredit(opened.context, { organizationId: opened.context.organization.id, micros: 5_000_000n }),
  ],
])('a ledger with %s stays as it is', async (_, addOther) => {
  const runId = await spend()
  await addOther()
  const before = await balance()
  expect(await remove([runId])).toEqual([
    "Kept the demo's spend of $2.00, because the ledger has other entries too and its entries are permanent",
  ])
  expect(await balance()).toBe(before)
})
