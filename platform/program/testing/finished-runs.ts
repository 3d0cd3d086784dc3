import { randomUUID } from 'node:crypto'

import { countOutcomes, type Outcome } from '#contract/outcomes.ts'
import { compositeRunId } from '#contract/wire/run-id.ts'
import { analyticsOutbox } from '#platform/ground/database/tables/analytics.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { experiments, experimentVersions } from '#platform/ground/database/tables/experiments.ts'
import { organizations, users } from '#platform/ground/database/tables/identity.ts'
import { runRequests, runs } from '#platform/ground/database/tables/runs.ts'
import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'

const at = '2026-11-20T10:00:00.000001Z'

export async function addOrganization(db: Database) {
  const id = randomUUID()
  await db.insert(organizations).values({ id, slug: `org-${id.slice(0, 8)}`, name: 'Test' })
  return id
}

/** Inserts a minimal version for tests that only need runs to refer to one. */
export async function addVersion(
  db: Database,
  { organizationId, experimentId, ordinal }: { organizationId: string; experimentId: string; ordinal: number },
) {
  const fingerprint = ordinal.toString(16).padStart(64, 'f')
  const creatorId = randomUUID()
  const pushedAt = `2026-11-${String(ordinal).padStart(2, '0')}T10:00:00.000000Z`
  const axes = { agents: [], agentModes: [], models: [], products: [], environments: [], prompts: [] }
  const experiment = { organizationId, id: experimentId, name: experimentId, ownerId: creatorId, axes }
  const stamps = { latestFingerprint: fingerprint, versionCount: ordinal, createdAt: pushedAt, updatedAt: pushedAt }
  await db.insert(users).values({ id: creatorId, email: `${creatorId}@example.test`, name: 'Test' })
  await db
    .insert(experiments)
    .values({ ...experiment, ...stamps })
    .onConflictDoNothing()
  await db.insert(experimentVersions).values({
    organizationId,
    experimentId,
    fingerprint,
    definitionHash: fingerprint,
    ordinal,
    yaml: '',
    definition: { id: experimentId, name: experimentId, agents: [] },
    files: [],
    creatorId,
    createdAt: pushedAt,
    pushedAt,
  })
  return fingerprint
}

export type FinishedRunFacts = Partial<typeof runs.$inferInsert> & {
  organizationId: string
  experimentId: string
  outcomes: Record<string, Outcome>
}

/** Inserts a finished run with its captured tests and outbox row, as the run engine does. */
export async function addFinishedRun(db: Database, { outcomes, ...facts }: FinishedRunFacts) {
  const { organizationId, experimentId, fingerprint = 'f'.repeat(63) + '1', ordinal = 1 } = facts
  const id = facts.id ?? randomUUID()
  const requestId = randomUUID()
  const version = { experimentId, fingerprint, ordinal, triggeredBy: facts.triggeredBy ?? requestId }
  const request = { id: requestId, organizationId, ...version, variantIds: [], repeat: 1, flags: [], mock: false }
  await db.insert(runRequests).values({ ...request, createdAt: at })
  const variantId = facts.variantId ?? 'a'
  const counts = countOutcomes(Object.values(outcomes))
  await db.insert(runs).values({
    ...version,
    id,
    requestId,
    variantId,
    agent: 'a',
    repeat: 1,
    mock: false,
    status: 'completed',
    compositeId: compositeRunId(variantId, id),
    createdAt: at,
    endedAt: at,
    statusUpdatedAt: at,
    testsPassed: counts.passed,
    testsFailed: counts.failed,
    testsUnresolved: counts.unresolved,
    testsErrored: counts.errored,
    testsSkipped: counts.skipped,
    ...facts,
  })
  const tests = Object.entries(outcomes).map(([name, outcome], index) => ({
    runId: id,
    ordinal: index,
    name,
    outcome,
    stdoutTail: '',
    stderrTail: '',
  }))
  if (tests.length > 0) await db.insert(capturedTests).values(tests)
  await db.insert(analyticsOutbox).values({ organizationId, runId: id })
  return id
}
