import { randomUUID } from 'node:crypto'

import { compositeRunId } from '#contract/wire/run-id.ts'
import { isTerminal, type RunStatus } from '#contract/run-status.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { experiments, experimentVersions } from '#platform/ground/database/tables/experiments.ts'
import { runRequests, runs } from '#platform/ground/database/tables/runs.ts'

const experimentCount = 20
const monthMs = 30 * 86_400_000
const axisValues = {
  agent: ['claude-code', 'codex', 'gemini-cli', 'opencode', 'careful'],
  model: ['large', 'medium', 'small', 'open'],
  prompt: ['terse', 'wordy', 'with-examples', 'bare', 'step-by-step'],
}
/** Most runs of a lab have completed; a few of the newest are running. */
const statusOf = (index: number): RunStatus =>
  index < 20
    ? 'running'
    : index < 120
      ? 'queued'
      : index % 11 === 0
        ? 'errored'
        : index % 13 === 0
          ? 'canceled'
          : 'completed'

type Owner = { organizationId: string; userId: string }

/**
 * Inserts finished and live runs of an organization into its tables, one request of 100 runs per minute. Runs from number
 * `oldFrom` on are a month older.
 */
export async function seedRuns(db: Database, owner: Owner, runCount: number, oldFrom = Infinity) {
  const fingerprint = 'f'.repeat(64)
  const now = Date.now()
  const ids = Array.from({ length: experimentCount }, (_, index) => `bench-${index}`)
  for (const id of ids) await insertExperiment(db, owner, { id, fingerprint, now: new Date(now).toISOString() })
  const perRequest = 100
  for (let request = 0; request * perRequest < runCount; request += 1) {
    const experimentId = ids[request % ids.length] ?? ''
    const requestId = randomUUID()
    const earlierMs = request * perRequest >= oldFrom ? monthMs : 0
    const createdAt = new Date(now - request * 60_000 - earlierMs).toISOString()
    const shared = {
      organizationId: owner.organizationId,
      experimentId,
      fingerprint,
      ordinal: 1,
      triggeredBy: owner.userId,
    }
    const requestFields = { variantIds: [], repeat: 1, flags: [], mock: false, createdAt }
    await db.insert(runRequests).values({ id: requestId, ...shared, ...requestFields })
    const rows = Array.from({ length: Math.min(perRequest, runCount - request * perRequest) }, (_, index) => ({
      ...shared,
      requestId,
      createdAt,
      ...newRun(request * perRequest + index),
    }))
    await db.insert(runs).values(
      rows.map((row) => ({
        ...row,
        statusUpdatedAt: createdAt,
        endedAt: isTerminal(row.status) ? createdAt : null,
      })),
    )
  }
}

function newRun(index: number) {
  const id = randomUUID()
  const pick = (values: readonly string[], step: number) => values[Math.floor(index / step) % values.length] ?? ''
  const axes = {
    agent: pick(axisValues.agent, 1),
    model: pick(axisValues.model, 5),
    prompt: pick(axisValues.prompt, 20),
  }
  const variantId = Object.values(axes).join('~')
  const status = statusOf(index)
  return {
    id,
    ...axes,
    variantId,
    compositeId: compositeRunId(variantId, id),
    repeat: 1 + (index % 10),
    mock: false,
    status,
    ...(isTerminal(status) && {
      testsPassed: index % 9,
      testsFailed: index % 4,
      costUsd: (index % 100) / 50,
      wallSeconds: index % 600,
      ...(index % 3 !== 0 && { totalTokens: (index * 7919) % 90_000, toolCalls: index % 40, toolFailures: index % 5 }),
      ...(status !== 'canceled' && { agentExitCode: index % 17 === 0 ? 1 : 0 }),
    }),
    ...(status === 'errored' && { statusReason: `The agent was stopped: out of memory in step ${index % 1000}` }),
    testAware: index % 40 === 0,
    timeLimitHit: index % 50 === 0,
    timeBudgetSeconds: 1800,
  }
}

type NewExperiment = { id: string; fingerprint: string; now: string }

/** An experiment with one version and no runs. */
export async function insertExperiment(
  db: Database,
  { organizationId, userId }: Owner,
  { id, fingerprint, now }: NewExperiment,
) {
  const { agent: agents, model: models, prompt: prompts } = axisValues
  const axes = { agents, models, prompts, agentModes: [], products: [], environments: [] }
  const definition = {
    id,
    name: `Bench ${id}`,
    agents: agents.map((agent) => ({ id: agent, command: ['true'] })),
    models,
    prompts: prompts.map((prompt) => ({ id: prompt, text: prompt })),
  }
  const stamps = { createdAt: now, updatedAt: now }
  await db.insert(experiments).values({
    organizationId,
    id,
    name: definition.name,
    ownerId: userId,
    axes,
    latestFingerprint: fingerprint,
    versionCount: 1,
    ...stamps,
  })
  await db.insert(experimentVersions).values({
    organizationId,
    experimentId: id,
    fingerprint,
    definitionHash: fingerprint,
    ordinal: 1,
    yaml: JSON.stringify(definition),
    definition,
    files: [],
    creatorId: userId,
    createdAt: now,
    pushedAt: now,
  })
}
