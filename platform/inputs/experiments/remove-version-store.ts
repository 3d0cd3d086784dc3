import { and, desc, eq } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { experiments, experimentVersions } from '#platform/ground/database/tables/experiments.ts'
import { insights } from '#platform/ground/database/tables/insights.ts'
import { experimentResources } from '#platform/ground/database/tables/resources.ts'
import { runRequests, runs } from '#platform/ground/database/tables/runs.ts'
import { savedViews } from '#platform/ground/database/tables/saved-views.ts'
import { schedules } from '#platform/ground/database/tables/schedules.ts'
import type { ExperimentKey, VersionKey } from './experiment-key.ts'

type OfExperiment =
  | typeof experimentVersions
  | typeof runRequests
  | typeof insights
  | typeof savedViews
  | typeof schedules
  | typeof experimentResources

const of = (table: OfExperiment, { organizationId, experimentId }: ExperimentKey) =>
  and(eq(table.organizationId, organizationId), eq(table.experimentId, experimentId))

const isVersion = (key: VersionKey) =>
  and(of(experimentVersions, key), eq(experimentVersions.fingerprint, key.fingerprint))

/** Locks the experiment, so that nobody pushes or submits while it is decided what goes. */
export async function lockRow(tx: Database, { organizationId, experimentId }: ExperimentKey) {
  const [row] = await tx
    .select({ versionCount: experiments.versionCount })
    .from(experiments)
    .where(and(eq(experiments.organizationId, organizationId), eq(experiments.id, experimentId)))
    .for('update')
  return row ?? null
}

export async function findOrdinal(tx: Database, key: VersionKey) {
  const [row] = await tx.select({ ordinal: experimentVersions.ordinal }).from(experimentVersions).where(isVersion(key))
  return row?.ordinal ?? null
}

export const hasRuns = async (tx: Database, key: VersionKey) =>
  (await tx.$count(
    runs,
    and(
      eq(runs.organizationId, key.organizationId),
      eq(runs.experimentId, key.experimentId),
      eq(runs.fingerprint, key.fingerprint),
    ),
  )) > 0

/** Whether people made anything with the experiment besides its runs. */
export async function hasWork(tx: Database, key: ExperimentKey) {
  for (const table of [runRequests, insights, savedViews, schedules, experimentResources])
    if ((await tx.$count(table, of(table, key))) > 0) return true
  return false
}

export const deleteVersion = (tx: Database, key: VersionKey) => tx.delete(experimentVersions).where(isVersion(key))

/** With its definition. */
export async function findLastPushed(tx: Database, key: ExperimentKey) {
  const [row] = await tx
    .select()
    .from(experimentVersions)
    .where(of(experimentVersions, key))
    .orderBy(desc(experimentVersions.pushedAt), desc(experimentVersions.ordinal))
    .limit(1)
  return row ?? null
}

export const deleteRow = (tx: Database, { organizationId, experimentId }: ExperimentKey) =>
  tx.delete(experiments).where(and(eq(experiments.organizationId, organizationId), eq(experiments.id, experimentId)))
