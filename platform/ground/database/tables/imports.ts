import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import type { Import, ImportColumn, ImportFormat, ImportPreview, ImportState } from '#contract/imports.ts'
import { instant } from '#platform/ground/database/columns.ts'
import { organizationReference, userReference } from './identity.ts'

/** An import of results. The worker with the lease works on it; a write names its token, so a lost lease changes nothing. */
export const imports = pgTable(
  'imports',
  {
    id: uuid().primaryKey(),
    organizationId: organizationReference(),
    createdBy: userReference(),
    state: text().$type<ImportState>().notNull(),
    stateReason: text(),
    files: integer().notNull().default(0),
    bytes: bigint({ mode: 'number' }).notNull().default(0),
    /** False once its files are deleted. */
    isStaged: boolean().notNull().default(true),
    format: text().$type<ImportFormat>(),
    pattern: text(),
    columns: jsonb().$type<ImportColumn[]>(),
    preview: jsonb().$type<ImportPreview>(),
    /** The columns of its tables, by which the next import with the same ones finds what a person said of them. */
    tableColumns: text(),
    experimentId: text(),
    experimentName: text(),
    isNew: boolean().notNull().default(false),
    /** The versions that it made, in order. */
    madeVersions: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    done: integer().notNull().default(0),
    total: integer().notNull().default(0),
    result: jsonb().$type<NonNullable<Import['result']>>(),
    createdAt: instant().notNull(),
    startedAt: instant(),
    endedAt: instant(),
    leaseToken: uuid(),
    leaseUntil: instant(),
    /** When work on it last began, so that organizations take turns. */
    claimedAt: instant(),
  },
  (table) => [
    index('imports_newest').on(table.organizationId, table.createdAt),
    index('imports_unfinished')
      .on(table.createdAt)
      .where(sql`${table.state} in ('reading', 'running', 'undoing')`),
    index('imports_by_columns').on(table.organizationId, table.tableColumns),
  ],
)

/** Where a part of a file is in a blob, and in the file. */
export type ImportEntry = { path: string; offset: number; start: number; length: number }

/** What one request added: the bytes of one or many files, in one blob. */
export const importParts = pgTable(
  'import_parts',
  {
    importId: uuid()
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    seq: integer().notNull(),
    blobKey: text().notNull(),
    entries: jsonb().$type<ImportEntry[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.seq] })],
)

/** The runs that an import made. Without a foreign key, because a bulk action can delete the run. */
export const importRuns = pgTable(
  'import_runs',
  {
    importId: uuid()
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    runId: uuid().notNull(),
    /** Removed from the database by an undo, and maybe not from the analytics yet. */
    isRemoved: boolean().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.importId, table.runId] })],
)
