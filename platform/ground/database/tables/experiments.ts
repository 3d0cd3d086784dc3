import { type Column, sql } from 'drizzle-orm'
import { bigint, index, integer, json, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'

import type { Definition } from '#contract/definition.ts'
import type { VersionFile } from '#contract/experiments.ts'
import type { InfrastructureCause } from '#contract/infrastructure.ts'
import type { RunStatus } from '#contract/run-status.ts'
import type { Axes } from '#contract/variants.ts'
import { changedIn, instant } from '#platform/ground/database/columns.ts'
import { organizationReference } from './identity.ts'

/** What lists sort an experiment's name by: in any case, and in the same order in every database. */
export const experimentNameKey = ({ name }: { name: Column }) => sql<string>`(lower(${name}) collate "C")`

const total = () => bigint({ mode: 'number' }).notNull().default(0)

export const experiments = pgTable(
  'experiments',
  {
    organizationId: organizationReference(),
    id: text().notNull(),
    name: text().notNull(),
    description: text(),
    ownerId: uuid().notNull(),
    latestFingerprint: text().notNull(),
    versionCount: integer().notNull(),
    axes: jsonb().$type<Axes>().notNull(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    changedIn: changedIn(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.id] }),
    index('experiments_changed').on(table.organizationId, table.changedIn),
    index('experiments_newest').on(table.organizationId, table.createdAt, table.id),
    index('experiments_by_name').on(table.organizationId, experimentNameKey(table), table.id),
  ],
)

export const experimentVersions = pgTable(
  'experiment_versions',
  {
    organizationId: uuid().notNull(),
    experimentId: text().notNull(),
    fingerprint: text().notNull(),
    /** The hash of the definition only. A raw push uses it to find a stored version with the same definition. */
    definitionHash: text().notNull(),
    ordinal: integer().notNull(),
    yaml: text().notNull(),
    definition: jsonb().$type<Definition>().notNull(),
    /** As text: no query looks into it, and the database needs five times as long to parse 10,000 files. */
    files: json().$type<VersionFile[]>().notNull(),
    creatorId: uuid().notNull(),
    createdAt: instant().notNull(),
    pushedAt: instant().notNull(),
    message: text(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.experimentId, table.fingerprint] }),
    unique('experiment_versions_ordinal').on(table.organizationId, table.experimentId, table.ordinal),
  ],
)

/**
 * What the runs of a version count for, so that lists need not read every run. Triggers on `runs` add a row for each change
 * (`count_runs_of_version`), so no two writers wait for one row. The counts are the sums of the rows, which
 * `foldVersionCounts` makes fewer. The columns mean what solved-runs.ts says.
 */
export const versionCounts = pgTable(
  'version_counts',
  {
    organizationId: uuid().notNull(),
    experimentId: text().notNull(),
    fingerprint: text().notNull(),
    status: text().$type<RunStatus>().notNull(),
    /** Of finished runs that infrastructure ended. */
    cause: text().$type<InfrastructureCause>(),
    runs: integer().notNull(),
    passed: total(),
    failed: total(),
    unresolved: total(),
    errored: total(),
    skipped: total(),
    /** How many runs count as solved or not, and how many are solved. */
    judged: total(),
    solved: total(),
    lastActivityAt: instant().notNull(),
  },
  (table) => [index('version_counts_of_experiment').on(table.organizationId, table.experimentId, table.fingerprint)],
)

/** Blobs that an organization has staged for its pushes, by content hash. */
export const stagedBlobs = pgTable(
  'staged_blobs',
  {
    organizationId: organizationReference(),
    sha256: text().notNull(),
    sizeBytes: integer().notNull(),
    stagedAt: instant()
      .notNull()
      .default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.sha256] })],
)
