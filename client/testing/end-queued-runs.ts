import { eq } from 'drizzle-orm'

import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { analyticsOutbox } from '#platform/ground/database/tables/analytics.ts'
import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import type { TestPlatform } from '#platform/program/testing/test-platform.ts'

type QueuedRun = typeof runs.$inferSelect

const testName = 'it works'

/** Ends every queued run as the run engine would, so that no test has to execute one. */
export async function endQueuedRuns({ services, organization }: TestPlatform, isSolved: (run: QueuedRun) => boolean) {
  const queued = await services.db.select().from(runs).where(eq(runs.status, 'queued'))
  const at = new Date().toISOString()
  for (const run of queued) {
    const solved = isSolved(run)
    const tests = solved ? { testsPassed: 1 } : { testsFailed: 1 }
    const ended = { status: 'completed' as const, startedAt: at, endedAt: at, statusUpdatedAt: at, wallSeconds: 2 }
    await services.db
      .update(runs)
      .set({ ...ended, ...tests })
      .where(eq(runs.id, run.id))
    const outcome = solved ? ('passed' as const) : ('failed' as const)
    const tails = { stdoutTail: solved ? '' : 'expected 9 but got \u001b]0;owned\u00078', stderrTail: '' }
    await services.db
      .insert(capturedTests)
      .values({ runId: run.id, ordinal: 0, name: testName, outcome, exitCode: solved ? 0 : 1, ...tails })
    await services.db.insert(analyticsOutbox).values({ organizationId: run.organizationId, runId: run.id })
  }
  await projectRuns(services, organization.id)
}
