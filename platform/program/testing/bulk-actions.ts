import { eq, inArray } from 'drizzle-orm'
import { expect } from 'vitest'

import type { BulkAction } from '#contract/bulk-actions.ts'
import { performBatch } from '#platform/results/bulk-actions/perform-batch.ts'
import { runs, runStatusChanges } from '#platform/ground/database/tables/runs.ts'
import { twoByTwo } from './definitions.ts'
import { addFinishedRun } from './finished-runs.ts'
import { openTestPlatform } from './test-platform.ts'

export const ended = { status: 'completed', endedAt: '2026-11-20T10:00:00.000000Z' } as const
export const solved = { ...ended, testsPassed: 1 }
export const failed = { ...ended, testsFailed: 1 }

type Body = Record<string, unknown>

/** A platform with an admin and a member, on which tests of bulk actions submit runs and act on them. */
export async function openBulkActions() {
  const platform = await openTestPlatform()
  const member = await platform.newKey({ role: 'member', email: 'max@lab.example' })
  const person: string = (await platform.request('GET', '/whoami')).json.actor.id

  const post = (path: string, body: Body = {}, key = platform.admin) => platform.request('POST', path, { key, body })

  /** The experiment gets a name of its own, so that each test has its own runs. */
  async function submit(experiment: string, body: Body = { mock: true }) {
    await platform.request('POST', '/experiments', { yaml: twoByTwo(experiment) })
    const { status, json } = await post(`/experiments/${experiment}/runs`, body)
    expect(status, JSON.stringify(json)).toBe(202)
    return String(json.runRequestId)
  }

  async function propose(body: Body, query = '', key = platform.admin): Promise<BulkAction> {
    const { status, json } = await post(`/bulk-actions${query}`, body, key)
    expect(status, JSON.stringify(json)).toBe(201)
    return json
  }

  const start = (id: string, body: Body = {}, key = platform.admin) => post(`/bulk-actions/${id}/start`, body, key)
  const show = async (id: string): Promise<BulkAction> => (await platform.request('GET', `/bulk-actions/${id}`)).json

  async function work() {
    while (await performBatch(platform.services));
  }

  async function doAll(body: Body, query = '', confirmation?: string) {
    const { id } = await propose(body, query)
    const started = await start(id, { confirmation })
    expect(started.status, JSON.stringify(started.json)).toBe(200)
    await work()
    return show(id)
  }

  const runsOf = (requestId: string) =>
    platform.services.db.select().from(runs).where(eq(runs.requestId, requestId)).orderBy(runs.variantId, runs.repeat)

  const idsOf = async (requestId: string) => (await runsOf(requestId)).map(({ id }) => id)

  const setRuns = (ids: readonly string[], change: Partial<typeof runs.$inferInsert>) =>
    platform.services.db
      .update(runs)
      .set(change)
      .where(inArray(runs.id, [...ids]))

  /** An ended run that was never queued here. */
  async function addImported(experimentId: string, organizationId = platform.organization.id) {
    const facts = { organizationId, experimentId, triggeredBy: person, outcomes: { suite: 'passed' as const } }
    const id = await addFinishedRun(platform.services.db, facts)
    const at = '2026-11-20T10:00:00.000000Z'
    await platform.services.db.insert(runStatusChanges).values({ runId: id, seq: 1, status: 'running', attempt: 1, at })
    return id
  }

  return {
    platform,
    member,
    person,
    post,
    submit,
    propose,
    start,
    show,
    work,
    doAll,
    runsOf,
    idsOf,
    setRuns,
    addImported,
  }
}
