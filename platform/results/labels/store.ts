import { and, asc, countDistinct, desc, eq, getTableColumns, gte, isNull, lte, sql } from 'drizzle-orm'

import { lockNamed } from '#platform/ground/database/lock-named.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'
import { experimentVersions } from '#platform/ground/database/tables/experiments.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import { labels } from '#platform/ground/database/tables/labels.ts'
import { runs, transcriptSegments } from '#platform/ground/database/tables/runs.ts'

export type LabelRow = typeof labels.$inferSelect

const selectLabels = (db: Database) =>
  db
    .select({ label: getTableColumns(labels), creator: { id: users.id, email: users.email, name: users.name } })
    .from(labels)
    .innerJoin(users, eq(users.id, labels.createdBy))

export type LabelWithCreator = Awaited<ReturnType<typeof selectLabels>>[number]

/** Oldest first. */
export const findLabels = (db: Database, runId: string) =>
  selectLabels(db).where(eq(labels.runId, runId)).orderBy(asc(labels.createdAt), asc(labels.id))

export async function findLabel(db: Database, runId: string, labelId: string) {
  const [row] = await selectLabels(db).where(and(eq(labels.runId, runId), eq(labels.id, labelId)))
  return row ?? null
}

/** Locks the run, so that changes of its labels follow one another. */
export async function lockRun(tx: Database, organizationId: string, compositeId: string) {
  const [row] = await tx
    .select()
    .from(runs)
    .where(and(eq(runs.organizationId, organizationId), eq(runs.compositeId, compositeId)))
    .for('update')
  return row ?? null
}

export type LockedRun = NonNullable<Awaited<ReturnType<typeof lockRun>>>

export const hasTest = async (db: Database, runId: string, name: string) =>
  (await db.$count(capturedTests, and(eq(capturedTests.runId, runId), eq(capturedTests.name, name)))) > 0

export const hasTurn = async (db: Database, runId: string, turn: number) =>
  (await db.$count(
    transcriptSegments,
    and(
      eq(transcriptSegments.runId, runId),
      lte(transcriptSegments.firstSeq, turn),
      gte(transcriptSegments.lastSeq, turn),
    ),
  )) > 0

export async function insertLabel(tx: Database, label: LabelRow) {
  await tx.insert(labels).values(label)
}

export async function updateText(tx: Database, labelId: string, change: Pick<LabelRow, 'text' | 'updatedAt'>) {
  await tx.update(labels).set(change).where(eq(labels.id, labelId))
}

export async function removeLabel(tx: Database, labelId: string) {
  await tx.delete(labels).where(eq(labels.id, labelId))
}

const isTag = eq(labels.kind, 'tag')

const isTagOfTheRunItself = and(isTag, isNull(labels.testName), isNull(labels.turn))

/** What a run keeps of its labels. */
export async function summarizeLabels(tx: Database, runId: string) {
  const ofRun = eq(labels.runId, runId)
  const tags = await tx.selectDistinct({ name: labels.text }).from(labels).where(and(ofRun, isTagOfTheRunItself))
  return {
    tags: tags.map(({ name }) => name).toSorted(),
    disputed: (await tx.$count(labels, and(ofRun, eq(labels.kind, 'dispute')))) > 0,
  }
}

const isTagOf = (organizationId: string) => and(eq(labels.organizationId, organizationId), isTag)

/** Locks the organization's list of tags. */
export async function lockTags(tx: Database, organizationId: string) {
  await lockNamed(tx, 'tags', organizationId)
}

export const isTagUsed = async (db: Database, organizationId: string, name: string) =>
  (await db.$count(labels, and(isTagOf(organizationId), eq(labels.text, name)))) > 0

export async function countTags(db: Database, organizationId: string) {
  const [row] = await db
    .select({ tags: countDistinct(labels.text) })
    .from(labels)
    .where(isTagOf(organizationId))
  return row?.tags ?? 0
}

/** The tags of the organization, most used first. */
export const findTags = (db: Database, organizationId: string, limit: number) => {
  const runCount = countDistinct(labels.runId)
  return db
    .select({ name: labels.text, runs: runCount })
    .from(labels)
    .where(isTagOf(organizationId))
    .groupBy(labels.text)
    .orderBy(desc(runCount), asc(labels.text))
    .limit(limit)
}

/** One row for each person and run with a tag on the run itself; tags are sorted. */
export const findReviewedRuns = (db: Database, runIds: readonly string[]) =>
  db
    .select({
      runId: labels.runId,
      compositeId: runs.compositeId,
      experimentId: runs.experimentId,
      fingerprint: runs.fingerprint,
      prompt: runs.prompt,
      person: { id: users.id, email: users.email, name: users.name },
      tags: sql<string[]>`array_agg(${labels.text} order by ${labels.text})`,
    })
    .from(labels)
    .innerJoin(runs, eq(runs.id, labels.runId))
    .innerJoin(users, eq(users.id, labels.createdBy))
    .where(and(sql`${labels.runId} = any(${`{${runIds.join(',')}}`}::uuid[])`, isTagOfTheRunItself))
    .groupBy(
      labels.runId,
      runs.compositeId,
      runs.experimentId,
      runs.fingerprint,
      runs.prompt,
      users.id,
      users.email,
      users.name,
    )

/** The prompts of the versions of these runs that say which task they are a variant of. */
export const findTasksOfRuns = (db: Database, runIds: readonly string[]) =>
  db
    .selectDistinct({
      experimentId: sql<string>`${experimentVersions.experimentId}`,
      fingerprint: sql<string>`${experimentVersions.fingerprint}`,
      prompt: sql<string>`prompt ->> 'id'`,
      task: sql<string>`prompt ->> 'task'`,
    })
    .from(sql`${experimentVersions}, jsonb_array_elements(${experimentVersions.definition} -> 'prompts') as prompt`)
    .where(
      sql`prompt ->> 'task' is not null
        and (${experimentVersions.organizationId}, ${experimentVersions.experimentId}, ${experimentVersions.fingerprint}) in (
          select ${runs.organizationId}, ${runs.experimentId}, ${runs.fingerprint} from ${runs}
          where ${runs.id} = any(${`{${runIds.join(',')}}`}::uuid[])
        )`,
    )

/** The composite ids of the runs on which a person put any label. */
export async function findLabeledRunIds(db: Database, userId: string, runIds: readonly string[]) {
  const rows = await db
    .selectDistinct({ compositeId: runs.compositeId })
    .from(labels)
    .innerJoin(runs, eq(runs.id, labels.runId))
    .where(and(sql`${labels.runId} = any(${`{${runIds.join(',')}}`}::uuid[])`, eq(labels.createdBy, userId)))
  return rows.map(({ compositeId }) => compositeId)
}

export type ReviewedRun = Awaited<ReturnType<typeof findReviewedRuns>>[number]
