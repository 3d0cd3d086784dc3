import { and, eq, inArray } from 'drizzle-orm'

import type { VersionFile } from '#contract/experiments.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { packagedTasks } from '#platform/ground/database/tables/packaged-tasks.ts'

export type TaskKey = { organizationId: string; tarSha256: string; name: string }

/** The outlines of the task folders with these tars. */
export const findOutlines = (db: Database, organizationId: string, tarSha256s: readonly string[]) =>
  tarSha256s.length === 0
    ? []
    : db
        .select({ name: packagedTasks.name, tarSha256: packagedTasks.tarSha256, outline: packagedTasks.outline })
        .from(packagedTasks)
        .where(and(eq(packagedTasks.organizationId, organizationId), inArray(packagedTasks.tarSha256, [...tarSha256s])))

const isTask = ({ organizationId, tarSha256, name }: TaskKey) =>
  and(
    eq(packagedTasks.organizationId, organizationId),
    eq(packagedTasks.tarSha256, tarSha256),
    eq(packagedTasks.name, name),
  )

export async function findWholeTask(db: Database, key: TaskKey) {
  const [row] = await db
    .select({ whole: packagedTasks.whole, files: packagedTasks.files })
    .from(packagedTasks)
    .where(isTask(key))
  return row ?? null
}

export async function insertTask(db: Database, task: typeof packagedTasks.$inferInsert) {
  await db.insert(packagedTasks).values(task).onConflictDoNothing()
}

export async function updateTaskFiles(db: Database, key: TaskKey, files: VersionFile[]) {
  await db.update(packagedTasks).set({ files }).where(isTask(key))
}
