import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

import type { BucketKind, TopUp } from '#contract/credits.ts'
import { instant } from './columns.ts'
import { organizations } from './identity.ts'

const micros = () => bigint({ mode: 'bigint' }).notNull()

const organizationId = () =>
  uuid()
    .notNull()
    .references(() => organizations.id)

/** One per organization, made when it is first needed. Its row is the lock of everything below. */
export const creditAccounts = pgTable('credit_accounts', {
  organizationId: uuid()
    .primaryKey()
    .references(() => organizations.id),
  plan: text().$type<'free' | 'paid'>().notNull(),
  anniversary: instant().notNull(),
  /** What runs cost beyond all credit; the next credit pays it first. */
  owedMicros: micros(),
})

/** `ordinal` counts from the anniversary in force; `plan` is paid once the cycle has had its increment. */
export const billingCycles = pgTable(
  'billing_cycles',
  {
    id: uuid().primaryKey(),
    organizationId: organizationId(),
    plan: text().$type<'free' | 'paid'>().notNull(),
    ordinal: integer().notNull(),
    startsAt: instant().notNull(),
    endsAt: instant().notNull(),
  },
  (table) => [uniqueIndex('billing_cycles_start').on(table.organizationId, table.startsAt)],
)

/** Credit granted at once, which expires at once. Its two amounts are the sums of its postings. */
export const creditLots = pgTable(
  'credit_lots',
  {
    id: uuid().primaryKey(),
    organizationId: organizationId(),
    bucket: text().$type<BucketKind>().notNull(),
    availableMicros: micros(),
    heldMicros: micros(),
    grantedAt: instant().notNull(),
    expiresAt: instant(),
  },
  (table) => [
    index('credit_lots_left')
      .on(table.organizationId)
      .where(sql`${table.availableMicros} <> 0 or ${table.heldMicros} <> 0`),
    check('credit_lots_never_negative', sql`${table.availableMicros} >= 0 and ${table.heldMicros} >= 0`),
  ],
)

/** One event of the ledger; `source` names what caused it, so that nothing is posted twice. */
export const creditEntries = pgTable(
  'credit_entries',
  {
    id: uuid().primaryKey(),
    organizationId: organizationId(),
    cycleId: uuid()
      .notNull()
      .references(() => billingCycles.id),
    kind: text().notNull(),
    source: text().notNull(),
    at: instant().notNull(),
  },
  (table) => [
    uniqueIndex('credit_entries_source').on(table.organizationId, table.source),
    index('credit_entries_time').on(table.organizationId, table.at),
    index('credit_entries_of_cycle').on(table.cycleId),
  ],
)

/** The postings of an entry add up to zero. `lot_id` stands beside the organization's own accounts, available and held. */
export const creditPostings = pgTable(
  'credit_postings',
  {
    entryId: uuid()
      .notNull()
      .references(() => creditEntries.id),
    seq: integer().notNull(),
    account: text().$type<LedgerAccount>().notNull(),
    lotId: uuid().references(() => creditLots.id),
    micros: micros(),
  },
  (table) => [primaryKey({ columns: [table.entryId, table.seq] })],
)

export type LedgerAccount = 'available' | 'held' | 'owed' | 'granted' | 'purchased' | 'spent' | 'expired'

/** What a run took from lots when it was submitted, and the terms it was submitted under. Mock runs have none. */
export const creditHolds = pgTable('credit_holds', {
  runId: uuid().primaryKey(),
  organizationId: organizationId(),
  parts: jsonb().$type<{ lotId: string; micros: string }[]>().notNull(),
  /** Micros for each second in a worker's hands. */
  runRate: integer().notNull(),
  /** The model is reached with the operator's own key, so its usage is charged. */
  platformKey: boolean().notNull(),
})

/** What a run cost, written in the transaction that ends it; in the ledger once it has an entry. */
export const runUsage = pgTable(
  'run_usage',
  {
    runId: uuid().primaryKey(),
    organizationId: organizationId(),
    experimentId: text().notNull(),
    userId: uuid().notNull(),
    modelMicros: micros(),
    infrastructureMicros: micros(),
    byokMicros: micros(),
    endedAt: instant().notNull(),
    cycleId: uuid().references(() => billingCycles.id),
    entryId: uuid().references(() => creditEntries.id),
  },
  (table) => [
    index('run_usage_unposted')
      .on(table.organizationId)
      .where(sql`${table.entryId} is null`),
    index('run_usage_of_cycle').on(table.cycleId),
    index('run_usage_newest').on(table.organizationId, table.experimentId, table.endedAt),
  ],
)

/** A hosted payment page. `provider_id` is what the provider calls it, and opens the local page. */
export const checkoutSessions = pgTable(
  'checkout_sessions',
  {
    id: uuid().primaryKey(),
    organizationId: organizationId(),
    userId: uuid().notNull(),
    provider: text().$type<'stripe' | 'local'>().notNull(),
    providerId: text().unique(),
    /** Where the payment is made, while it can be. */
    url: text(),
    amountMicros: micros(),
    status: text().$type<TopUp['status']>().notNull(),
    /** Of a payment that is not what was asked for: what was paid, in the smallest unit of the currency. */
    paidAmount: bigint({ mode: 'bigint' }),
    paidCurrency: text(),
    /** What the operator decided to post for it. */
    acceptedMicros: bigint({ mode: 'bigint' }),
    decidedAt: instant(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    paidAt: instant(),
    postedAt: instant(),
  },
  (table) => [index('checkout_sessions_newest').on(table.organizationId, table.createdAt)],
)
