import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import { changedIn, instant } from '#platform/ground/database/columns.ts'
import type { KeyKind, Role } from '#contract/identity.ts'

export const organizations = pgTable('organizations', {
  id: uuid().primaryKey(),
  slug: text().notNull().unique(),
  name: text().notNull(),
  createdAt: instant()
    .notNull()
    .default(sql`now()`),
})

export const users = pgTable(
  'users',
  {
    id: uuid().primaryKey(),
    email: text().notNull().unique(),
    name: text().notNull(),
    /** False for a person who joined with the link that an admin got, until an email or single sign-on proves the address. */
    isProven: boolean().notNull().default(true),
    createdAt: instant()
      .notNull()
      .default(sql`now()`),
    changedIn: changedIn(),
  },
  (table) => [index('users_changed').on(table.changedIn)],
)

/** The organization that a row belongs to. */
export const organizationReference = () =>
  uuid()
    .notNull()
    .references(() => organizations.id)

export const userReference = () =>
  uuid()
    .notNull()
    .references(() => users.id)

export const memberships = pgTable(
  'memberships',
  {
    organizationId: organizationReference(),
    userId: userReference(),
    role: text().$type<Role>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.userId] })],
)

/** `hash` is the SHA-256 of the whole key. Keys are 256 random bits, so a slow hash would add nothing. */
export const apiKeys = pgTable('api_keys', {
  id: uuid().primaryKey(),
  hash: text().notNull().unique(),
  kind: text().$type<KeyKind>().notNull(),
  name: text().notNull(),
  /** A key of the demo, which signs people in without a key. It is revoked when a second organization is created. */
  isDemo: boolean().notNull().default(false),
  createdBy: userReference(),
  createdAt: instant()
    .notNull()
    .default(sql`now()`),
  revokedAt: instant(),
  expiresAt: instant(),
  /** Written about once a minute while the key is used. */
  lastUsedAt: instant(),
  /** The start of the key, by which people recognize it. Null for keys that are older than this column. */
  prefix: text(),
  /** The key that a session or a script used to create this one. The end of the demo also ends what its keys created. */
  createdWith: uuid().references((): AnyPgColumn => apiKeys.id),
  /** The key that this one replaces. A key is rotated at most once. */
  replaces: uuid()
    .unique()
    .references((): AnyPgColumn => apiKeys.id),
})

/**
 * The organizations that a key has access to. A personal key acts with its person's role, an organization key with
 * `role`.
 */
export const apiKeyOrganizations = pgTable(
  'api_key_organizations',
  {
    keyId: uuid()
      .notNull()
      .references(() => apiKeys.id),
    organizationId: organizationReference(),
    role: text().$type<Role>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.organizationId] }), index().on(table.organizationId)],
)
