import { randomUUID } from 'node:crypto'

import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Database } from '#platform/ground/database/open-database.ts'
import { addOrganization } from '#platform/program/testing/finished-runs.ts'
import { seededRandom } from '#statistics/seeded-random.ts'
import { openTestDatabase } from '#platform/program/testing/test-database.ts'
import { atLength } from '#tools/test-length.ts'
import { type Account, type HoldPart, spendable, toAccount } from './account.ts'
import { catchUp } from './catch-up.ts'
import { changePlan } from './change-plan.ts'
import { grant, hold } from './ledger.ts'
import { withAccountAt } from './open-account.ts'
import { insertHolds } from './store.ts'
import { checkoutSessions, creditAccounts, runUsage } from '#platform/ground/database/tables/credits.ts'

const hour = 60 * 60 * 1000
const born = Date.parse('2026-01-31T10:00:00Z')

type World = { now: number; random: () => number }

const upTo = ({ random }: World, most: number) => BigInt(Math.floor(random() * most))

/** Mostly hours, sometimes longer than a cycle. */
const passTime = (world: World) => {
  world.now += Math.floor(world.random() * (world.random() < 0.02 ? 45 * 24 : 12) * hour)
}

const purchase = (micros: bigint, at: number) => {
  const what = { bucket: 'on_demand' as const, expiresAt: null, from: 'purchased' as const }
  return { ...what, micros, at, source: `checkout:${randomUUID()}` }
}

const kinds = [
  'submit',
  'submit',
  'submit',
  'end',
  'end',
  'end',
  'end',
  'reload',
  'grant',
  'upgrade',
  'downgrade',
] as const

/** Lists the faults after an operation: a new entry that does not balance, a negative lot, credit without an owner. */
function openBooks() {
  const sums = { available: 0n, held: 0n, owed: 0n, granted: 0n, purchased: 0n, spent: 0n, expired: 0n }
  let seen = 0
  return (account: Account): string[] => {
    const unbalanced = account.entries.slice(seen).filter(({ postings }) => {
      for (const { account: side, micros } of postings) sums[side] += micros
      return postings.reduce((sum, { micros }) => sum + micros, 0n) !== 0n
    })
    seen = account.entries.length
    const lots = [...account.lots.values()]
    const total = (side: 'available' | 'held') => lots.reduce((sum, lot) => sum + lot[side], 0n)
    const faults = {
      unbalanced: unbalanced.length > 0,
      belowZero: lots.some(({ available, held }) => available < 0n || held < 0n),
      available: sums.available !== total('available'),
      held: sums.held !== total('held'),
      owed: -sums.owed !== account.owed,
      owedBesideCredit: account.owed > 0n && total('available') > 0n,
    }
    return Object.entries(faults).flatMap(([name, isFault]) => (isFault ? [name] : []))
  }
}

test('the ledger balances after each of thousands of random operations', () => {
  const world = { now: born, random: seededRandom(20_261_120) }
  const terms = { organizationId: randomUUID(), plan: 'free' as const, anniversary: born, owed: 0n, cycles: [] }
  const account = toAccount(terms, [])
  const check = openBooks()
  const running: { runId: string; parts: HoldPart[]; held: bigint }[] = []
  const counts = new Map<string, number>()
  const operationCount = atLength(2500, 10_000)
  for (let operation = 0; operation < operationCount; operation += 1) {
    passTime(world)
    const kind = kinds[Math.floor(world.random() * kinds.length)] ?? 'end'
    const ended = kind === 'end' ? running.splice(Math.floor(world.random() * running.length), 1) : []
    const usages = ended.map(({ held, ...run }) => ({
      ...run,
      endedAt: world.now,
      charge: upTo(world, Number(held) * 2),
    }))
    catchUp(account, { now: world.now, usages })
    if (kind === 'submit') {
      const held = upTo(world, 8_000_000)
      const parts = hold(account, { micros: held, at: world.now, source: `request:${operation}` })
      if (parts) running.push({ runId: randomUUID(), parts, held })
      else if (held <= spendable(account)) throw new Error('The ledger refused a submission that the credit covers')
    }
    if (kind === 'reload' && world.random() < 0.2) grant(account, purchase(upTo(world, 30_000_000), world.now))
    if (kind === 'upgrade') changePlan(account, 'paid', world.now)
    if (kind === 'downgrade') changePlan(account, 'free', world.now)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    const wrong = check(account)
    if (wrong.length > 0) expect.fail(`operation ${operation}, ${kind}: ${wrong.join(', ')}`)
    // The store no longer loads these.
    for (const [id, lot] of account.lots) if (lot.available === 0n && lot.held === 0n) account.lots.delete(id)
  }
  const happened = new Set(account.entries.map(({ kind }) => kind))
  expect([...happened].sort()).toEqual(['expiry', 'grant', 'hold', 'purchase', 'usage'])
  expect(new Set(counts.keys()).size).toBe(new Set(kinds).size)
})

let db: Database
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openTestDatabase())
})
afterAll(() => close())

/**
 * Lists the faults of the whole ledger in the database: unbalanced entries, and lots that differ from their postings.
 */
async function faults() {
  const { rows } = (await db.execute(sql`
    select 'entry ' || entry_id::text as fault from credit_postings group by entry_id having sum(micros) <> 0
    union all
    select 'lot ' || lot.id::text from credit_lots lot left join credit_postings posting on posting.lot_id = lot.id
    group by lot.id
    having coalesce(sum(micros) filter (where account = 'available'), 0) <> lot.available_micros
      or coalesce(sum(micros) filter (where account = 'held'), 0) <> lot.held_micros
    union all
    select 'usage ' || entry_id::text from run_usage usage where entry_id is not null group by entry_id
    having sum(model_micros + infrastructure_micros) <> coalesce((select sum(micros) from credit_postings posting
      where posting.entry_id = usage.entry_id and account = 'spent'), 0)
    union all
    select 'owed ' || owed_micros::text from credit_accounts
    where owed_micros <> -coalesce((select sum(micros) from credit_postings where account = 'owed'), 0)
  `)) as unknown as { rows: { fault: string }[] }
  return rows.map(({ fault }) => fault)
}

test('the ledger in the database balances, whatever is recorded between two openings of the account', async () => {
  const organizationId = await addOrganization(db)
  const world = { now: born, random: seededRandom(7) }
  await db
    .insert(creditAccounts)
    .values({ organizationId, plan: 'free', anniversary: new Date(born).toISOString(), owedMicros: 0n })
  const running: { runId: string; held: bigint }[] = []
  const at = () => new Date(world.now).toISOString()
  const open = <Result>(act: Parameters<typeof withAccountAt<Result>>[2]) =>
    db.transaction((tx) => withAccountAt(tx, { organizationId, now: world.now }, act))

  const operations = {
    async submit() {
      const runId = randomUUID()
      const held = upTo(world, 8_000_000)
      const parts = await open(({ account }) =>
        hold(account, { micros: held, at: world.now, source: `request:${runId}` }),
      )
      if (!parts) return
      const named = parts.map(({ lotId, micros }) => ({ lotId, micros: String(micros) }))
      await insertHolds(db, [{ runId, organizationId, parts: named, runRate: 10, platformKey: false }])
      running.push({ runId, held })
    },
    async end() {
      const [run] = running.splice(Math.floor(world.random() * running.length), 1)
      if (!run) return
      const costs = { modelMicros: upTo(world, Number(run.held) * 2), infrastructureMicros: 10n, byokMicros: 0n }
      const facts = { runId: run.runId, organizationId, experimentId: 'e', userId: randomUUID(), endedAt: at() }
      await db.insert(runUsage).values({ ...facts, ...costs })
    },
    async reload() {
      const session = { id: randomUUID(), organizationId, userId: randomUUID(), provider: 'local' as const }
      const facts = { amountMicros: upTo(world, 30_000_000), status: 'paid' as const, createdAt: at(), expiresAt: at() }
      await db.insert(checkoutSessions).values({ ...session, ...facts })
    },
    grant: () =>
      open(({ account }) => void grant(account, { ...purchase(upTo(world, 9_000_000), world.now), from: 'granted' })),
    upgrade: () => open(({ account }) => void changePlan(account, 'paid', world.now)),
    downgrade: () => open(({ account }) => void changePlan(account, 'free', world.now)),
  }
  const operationCount = atLength(100, 250)
  for (let count = 1; count <= operationCount; count += 1) {
    passTime(world)
    const kind = kinds[Math.floor(world.random() * kinds.length)] ?? 'end'
    if (kind !== 'reload' || world.random() < 0.2) await operations[kind]()
    if (count % 50 === 0) expect(await faults()).toEqual([])
  }
  await open(() => {})
  const unposted = await db.select().from(checkoutSessions).where(eq(checkoutSessions.status, 'paid'))
  expect([await faults(), unposted]).toEqual([[], []])
})
