import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'

import type { Database } from '#platform/ground/database/open-database.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'

export type TestScope = { runId: string } | { requestId: string }
type TestPosition = { runId: string; ordinal: number }

const inScope = (scope: TestScope) =>
  'runId' in scope ? eq(runs.id, scope.runId) : eq(runs.requestId, scope.requestId)

const whole = getTableColumns(capturedTests)
const withoutTails = { ...whole, stdoutTail: sql<string>`''`, stderrTail: sql<string>`''` }

const ofRun = {
  compositeId: runs.compositeId,
  organizationId: runs.organizationId,
  experimentId: runs.experimentId,
  fingerprint: runs.fingerprint,
  prompt: runs.prompt,
}

const withRun = (db: Database, test: typeof whole | typeof withoutTails = whole) =>
  db.select({ test, run: ofRun }).from(capturedTests).innerJoin(runs, eq(runs.id, capturedTests.runId))

export type TestPage = { after?: TestPosition | undefined; limit: number; omitTails?: boolean | undefined }

/** In the order of the runs, then of the tests within each run. */
export const findTests = (db: Database, scope: TestScope, page: TestPage) =>
  withRun(db, page.omitTails ? withoutTails : whole)
    .where(
      and(
        inScope(scope),
        page.after &&
          sql`(${capturedTests.runId}, ${capturedTests.ordinal}) > (${page.after.runId}::uuid, ${page.after.ordinal})`,
      ),
    )
    .orderBy(asc(capturedTests.runId), asc(capturedTests.ordinal))
    .limit(page.limit)

export type TestRow = Awaited<ReturnType<typeof findTests>>[number]

export async function findTest(db: Database, runId: string, name: string) {
  const [row] = await withRun(db)
    .where(and(eq(capturedTests.runId, runId), eq(capturedTests.name, name)))
    .orderBy(asc(capturedTests.ordinal))
    .limit(1)
  return row ?? null
}

export const clearTails = (tx: Database, runIds: readonly string[]) =>
  tx
    .update(capturedTests)
    .set({ stdoutTail: '', stderrTail: '' })
    .where(inArray(capturedTests.runId, [...runIds]))
