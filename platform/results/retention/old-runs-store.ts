import { and, asc, count, eq, inArray, lt, min, not, type SQL, sql } from 'drizzle-orm'

import { keepTag, type RemovalKind, type RetentionRules } from '#contract/retention.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'
import { runChanges } from '#platform/ground/database/tables/changes.ts'
import { labels } from '#platform/ground/database/tables/labels.ts'
import { publications } from '#platform/ground/database/tables/publications.ts'
import { retentionGraces } from '#platform/ground/database/tables/retention.ts'
import { runs, transcriptSegments } from '#platform/ground/database/tables/runs.ts'
import { scheduleStarts } from '#platform/ground/database/tables/schedules.ts'
import { isOfThisMonth } from '#platform/ground/database/tables/starts-of-month.ts'

type Rules = Pick<RetentionRules, 'keptExperiments'>
export type OldRuns = { organizationId: string; kind: RemovalKind; days: number; rules: Rules }

const endedBefore = (organizationId: string, days: number) =>
  and(
    eq(runs.organizationId, organizationId),
    inArray(runs.status, ['completed', 'errored', 'canceled']),
    lt(runs.endedAt, sql`clock_timestamp() - make_interval(days => ${days})`),
  )

const isOfKeptExperiment = ({ keptExperiments }: Rules) =>
  keptExperiments.length === 0 ? sql`false` : inArray(runs.experimentId, keptExperiments)

const isTagged = sql`${keepTag} = any(${runs.tags})`

/** A published insight of an experiment reads all its runs; one of a run reads that run. */
const isPublished = sql`exists (select 1 from ${publications}
  where ${publications.organizationId} = ${runs.organizationId}
    and case when ${publications.runId} is null then ${publications.experimentId} = ${runs.experimentId}
      else ${publications.runId} = ${runs.compositeId} end)`

const isLabeled = (which: SQL) => sql`exists (select 1 from ${labels} where ${labels.runId} = ${runs.id} and ${which})`

const isUnfinished = sql`exists (select 1 from ${runs} as other where other.request_id = ${runs.requestId}
  and other.status in ('queued', 'waiting_for_ci', 'running'))`

/** The monthly limit of a schedule counts what its runs cost. */
const countsForSchedule = sql`(not ${runs.mock} and exists (select 1 from ${scheduleStarts}
  where ${scheduleStarts.requestId} = ${runs.requestId} and ${isOfThisMonth}))`

/** Whether a run has what the kind removes, and no person pointed at it. */
const hasPart: Record<RemovalKind, SQL> = {
  transcripts: sql`(${runs.transcriptPublished} or exists (select 1 from ${transcriptSegments}
      where ${transcriptSegments.runId} = ${runs.id}))
    and not ${isLabeled(sql`${labels.turn} is not null`)}`,
  outputs: sql`exists (select 1 from ${capturedTests} where ${capturedTests.runId} = ${runs.id}
      and (${capturedTests.stdoutTail} <> '' or ${capturedTests.stderrTail} <> ''))
    and not ${isLabeled(sql`${labels.testName} is not null`)}`,
  changes: sql`exists (select 1 from ${runChanges} where ${runChanges.runId} = ${runs.id})`,
  // While a request has unfinished runs, its other runs are kept too.
  runs: sql`not ${isLabeled(sql`true`)} and not ${isUnfinished} and not ${countsForSchedule}`,
}

export const isRemovable = ({ organizationId, kind, days, rules }: OldRuns) =>
  and(
    endedBefore(organizationId, days),
    hasPart[kind],
    not(isOfKeptExperiment(rules)),
    sql`not ${isTagged}`,
    sql`not ${isPublished}`,
  )

/** A preview counts these too, because they go within a day. */
const isInGrace = sql`exists (select 1 from ${retentionGraces}
  where ${retentionGraces.organizationId} = ${runs.organizationId}
    and ${retentionGraces.endsAt} > clock_timestamp()
    and (${retentionGraces.subjectKind}, ${retentionGraces.subjectId})
      in (('run', ${runs.compositeId}), ('experiment', ${runs.experimentId})))`

const isRemovableNow = (old: OldRuns) => and(isRemovable(old), sql`not ${isInGrace}`)

/** Where a walk over old runs is, in the order of the index `runs_by_ended`. */
export type WalkPlace = { endedAt: string; createdAt: string; id: string }

export type RemovableRun = { id: string; compositeId: string; requestId: string; experimentId: string }

type Walk = { after: WalkPlace | undefined; limit: number }

const columnsOfWalk = { endedAt: runs.endedAt, createdAt: runs.createdAt, id: runs.id }

/**
 * The next old runs after a place, removable or not, so that a walk reads each once. Null after the last.
 */
async function findNextOld(tx: Database, old: OldRuns, after: WalkPlace | undefined, limit: number) {
  const found = await tx
    .select(columnsOfWalk)
    .from(runs)
    .where(
      and(
        endedBefore(old.organizationId, old.days),
        after &&
          sql`(${runs.endedAt}, ${runs.createdAt}, ${runs.id}) >
            (${after.endedAt}::timestamptz, ${after.createdAt}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(asc(runs.endedAt), asc(runs.createdAt), asc(runs.id))
    .limit(limit)
  const last = found.at(-1)
  return last?.endedAt ? { ids: found.map(({ id }) => id), last: { ...last, endedAt: last.endedAt } } : null
}

/**
 * Locks those of the next old runs that may be removed, without those that another transaction has. The second look sees
 * what was committed while the first looked for them, such as a label; the locks keep more from coming.
 */
export async function lockRemovable(tx: Database, old: OldRuns, { after, limit }: Walk) {
  const next = await findNextOld(tx, old, after, limit)
  if (!next) return null
  const locked = await tx
    .select({ id: runs.id })
    .from(runs)
    .where(and(inArray(runs.id, next.ids), isRemovableNow(old)))
    .for('update', { skipLocked: true })
  const ids = locked.map(({ id }) => id)
  if (ids.length === 0) return { removable: [], last: next.last }
  const removable: RemovableRun[] = await tx
    .select({
      id: runs.id,
      compositeId: runs.compositeId,
      requestId: runs.requestId,
      experimentId: runs.experimentId,
    })
    .from(runs)
    .where(and(inArray(runs.id, ids), isRemovableNow(old)))
  return { removable, last: next.last }
}

export async function countRemovable(db: Database, old: OldRuns) {
  const [row] = await db
    .select({ runs: count(), oldest: min(runs.endedAt) })
    .from(runs)
    .where(isRemovable(old))
  return { runs: row?.runs ?? 0, oldest: row?.oldest ?? null }
}

/** Runs that are old enough, by the first reason that keeps them whole. */
export async function countKept(db: Database, organizationId: string, days: number, rules: Rules) {
  const old = endedBefore(organizationId, days)
  const inExperiment = isOfKeptExperiment(rules)
  const isElsewhere = and(old, not(inExperiment))
  return {
    byExperiment: await db.$count(runs, and(old, inExperiment)),
    byTag: await db.$count(runs, and(isElsewhere, isTagged)),
    byPublishedInsight: await db.$count(runs, and(isElsewhere, sql`not ${isTagged}`, isPublished)),
  }
}
