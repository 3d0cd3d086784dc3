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
import { instant, tokenCount } from '#platform/ground/database/columns.ts'
import { organizations } from './identity.ts'

const micros = () => bigint({ mode: 'bigint' }).notNull()

const organizationId = () =>
  uuid()
    .notNull()
    .references(() => organizations.id)

/** One per organization, created on first use. Its row is the lock for all tables below. */
export const creditAccounts = pgTable('credit_accounts', {
  organizationId: uuid()
    .primaryKey()
    .references(() => organizations.id),
  plan: text().$type<'free' | 'paid'>().notNull(),
  anniversary: instant().notNull(),
  /** The overdraft: the cost of runs beyond all credit, which the next credit repays first. */
  owedMicros: micros(),
})

/** `ordinal` counts from the current anniversary; `plan` is paid once the cycle has its increment. */
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

/** Credit granted together and expiring together. Its two amounts are the sums of its postings. */
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

/** One ledger event; `source` is the unique key of its cause, so that nothing is posted twice. */
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

/** The postings of an entry sum to zero. `lot_id` is set for the organization's own accounts, available and held. */
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

/** A run's hold on lots at its submission, and the terms of the submission. Mock runs have none. */
export const creditHolds = pgTable('credit_holds', {
  runId: uuid().primaryKey(),
  organizationId: organizationId(),
  parts: jsonb().$type<{ lotId: string; micros: string }[]>().notNull(),
  /** Micros for each second that a worker has the run. */
  runRate: integer().notNull(),
  /** The run uses the operator's own model key, so its model usage is charged. */
  platformKey: boolean().notNull(),
  /** The likely cost on the definition's own key: budgets count it, the ledger does not. */
  ownKeyMicros: micros().default(sql`0`),
})

/**
 * The cost of a run, written in the transaction that ends it, with what the sums of usage group by, so that they need not
 * read the runs. Once it has an entry, it is in the ledger.
 */
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
    agent: text().notNull().default(''),
    model: text(),
    inputTokens: tokenCount(),
    /** Of the input tokens, those that the gateway saw come from the provider's cache. */
    cachedTokens: tokenCount(),
    outputTokens: tokenCount(),
    endedAt: instant().notNull(),
    cycleId: uuid().references(() => billingCycles.id),
    entryId: uuid().references(() => creditEntries.id),
  },
  (table) => [
    index('run_usage_unposted')
      .on(table.organizationId)
      .where(sql`${table.entryId} is null`),
    index('run_usage_of_cycle').on(table.cycleId),
    // Has all that budgets sum, so that they need not read the rows.
    index('run_usage_time').on(
      table.organizationId,
      table.endedAt,
      table.userId,
      table.experimentId,
      table.modelMicros,
      table.infrastructureMicros,
      table.byokMicros,
    ),
    index('run_usage_newest').on(table.organizationId, table.experimentId, table.endedAt),
  ],
)

/** A hosted payment page. `provider_id` is the provider's id, and opens the local page. */
export const checkoutSessions = pgTable(
  'checkout_sessions',
  {
    id: uuid().primaryKey(),
    organizationId: organizationId(),
    userId: uuid().notNull(),
    provider: text().$type<'stripe' | 'local'>().notNull(),
    providerId: text().unique(),
    /** The address of the payment page, while it is open. */
    url: text(),
    amountMicros: micros(),
    status: text().$type<TopUp['status']>().notNull(),
    /** The paid amount, in the smallest unit of the currency, if the payment differs from its request. */
    paidAmount: bigint({ mode: 'bigint' }),
    paidCurrency: text(),
    /** The amount that the operator decided to post for it. */
    acceptedMicros: bigint({ mode: 'bigint' }),
    decidedAt: instant(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    paidAt: instant(),
    postedAt: instant(),
  },
  (table) => [index('checkout_sessions_newest').on(table.organizationId, table.createdAt)],
)
