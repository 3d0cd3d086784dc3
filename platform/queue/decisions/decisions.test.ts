import { and, asc, eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'

import { clockNow } from '#platform/ground/database/clock.ts'
import { decisions } from '#platform/ground/database/tables/decisions.ts'
import { notificationEvents } from '#platform/ground/database/tables/notifications.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'
import { claimRuns } from '#platform/queue/run-queue/claim-runs.ts'
import { settleDecisions } from './settle-decisions.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await openTestPlatform()
})
afterAll(() => platform.close())

const promptCount = 14
let experiments = 0
let experiment = ''
beforeEach(async () => {
  experiments += 1
  experiment = `decided-${experiments}`
  const prompts = Array.from({ length: promptCount }, (_, place) => `  - {id: p${place}, text: Do ${place}.}`)
  const yaml = `
id: ${experiment}
name: Decided
agents:
  - {id: careful, command: ["true"], modes: [fast, slow]}
  - {id: hasty, command: ["true"]}
prompts:
${prompts.join('\n')}
tests:
  - {name: it works, command: ["true"]}`
  await platform.request('POST', '/experiments', { yaml })
})

const submit = (untilDecided?: object, others: object = {}) =>
  platform.request('POST', `/experiments/${experiment}/runs`, { body: { mock: true, untilDecided, ...others } })

const submitted = async (untilDecided: object, others: object = {}): Promise<string> =>
  (await submit(untilDecided, others)).json.runRequestId

const decisionOf = async (id: string) => (await platform.request('GET', `/runs/${id}/decision`)).json

const settle = (seen = new Map<string, number>()) => settleDecisions(platform.services, seen)

type RunRow = typeof runs.$inferSelect
type Ending = { isSolved: (run: RunRow, place: number) => boolean; from?: number; to?: number; costUsd?: number }

const runsOf = (requestId: string) =>
  platform.services.db.select().from(runs).where(eq(runs.requestId, requestId)).orderBy(asc(runs.id))

/** Prompts in the order in which the queue starts them. */
const promptsOf = (all: readonly RunRow[]) => [...new Set(all.map(({ prompt }) => prompt))]

/** Ends the waiting runs of some prompts, as a worker does. */
async function end(requestId: string, { isSolved, from = 0, to = promptCount, costUsd = 0.1 }: Ending) {
  const { db } = platform.services
  const all = await runsOf(requestId)
  const prompts = promptsOf(all)
  const endedAt = await clockNow(db)
  for (const run of all) {
    const place = prompts.indexOf(run.prompt)
    if (place < from || place >= to || run.status !== 'queued') continue
    const solved = isSolved(run, place)
    await db
      .update(runs)
      .set({ status: 'completed', endedAt, costUsd, testsPassed: Number(solved), testsFailed: Number(!solved) })
      .where(eq(runs.id, run.id))
  }
}

/** Careful solves all, hasty a fifth. */
const clear = ({ agent }: RunRow, place: number) => agent === 'careful' || place % 5 === 0
/** Each solves what the other does not. */
const even = ({ agent }: RunRow, place: number) => (place % 2 === 0) === (agent === 'careful')

const question = { groupBy: 'agent', between: ['careful', 'hasty'] }

test('a submission is refused if its question is not about groups that it makes', async () => {
  for (const [untilDecided, others, path, message] of [
    [
      { groupBy: 'agent', between: ['careful', 'nobody'] },
      {},
      'between',
      /"nobody"; the selected groups are "careful", "hasty"/,
    ],
    [{ groupBy: 'agent', between: ['careful', 'careful'] }, {}, 'between', /two different groups/],
    [{ groupBy: 'agent' }, { agents: ['careful'] }, 'groupBy', /only the group "careful"/],
    [{ groupBy: 'model' }, {}, 'groupBy', /needs at least two groups/],
    [{ groupBy: 'prompt' }, {}, 'groupBy', /must be one of agent, agent_mode/],
    [{ groupBy: 'agent~agent' }, {}, 'groupBy', /must be one of/],
    [
      question,
      { promptIds: ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8', 'p9', 'p10'] },
      'groupBy',
      /more than 10 prompts/,
    ],
    [{ ...question, endUsd: 0 }, {}, 'endUsd', /endUsd/],
  ] as const) {
    const { status, json } = await submit(untilDecided, others)
    expect([status, json.error], path).toEqual([400, 'invalid_argument'])
    expect(json.message).toMatch(message)
    expect(json.issues[0].path).toContain(path)
  }
})

test('the design is stored with the request and shown with it; other requests have none', async () => {
  const id = await submitted({ groupBy: 'agent~agent_mode' }, { repeat: 2 })
  const { json } = await platform.request('GET', `/runs/${id}`)
  expect(json.runRequest.untilDecided).toEqual({
    groupBy: 'agent~agent_mode',
    groups: ['careful~fast', 'careful~slow', 'hasty~'],
    fewestPrompts: 10,
    earlyLevel: 0.001,
    endLevel: 0.05,
    promptCount,
    runCount: 3 * promptCount * 2,
  })
  const plain = (await submit()).json.runRequestId
  expect((await platform.request('GET', `/runs/${plain}`)).json.runRequest).not.toHaveProperty('untilDecided')
  expect((await platform.request('GET', `/runs/${plain}/decision`)).status).toBe(404)
  const [run] = await runsOf(id)
  const composite = encodeURIComponent(run?.compositeId ?? '')
  expect((await platform.request('GET', `/runs/${composite}/decision`)).status).toBe(400)
})

test('a request stops at the tenth complete prompt: its waiting runs are canceled and its running ones end', async () => {
  const id = await submitted(question)
  const seen = new Map<string, number>()
  await end(id, { isSolved: clear, to: 9 })
  await settle(seen)
  expect(await decisionOf(id)).toMatchObject({ completePrompts: 9, saved: { runs: 0, costUsd: 0 } })
  expect(await decisionOf(id)).not.toHaveProperty('stopped')
  await end(id, { isSolved: clear, from: 9, to: 10 })
  const { db } = platform.services
  const running = (await runsOf(id)).find(({ status }) => status === 'queued')
  await db
    .update(runs)
    .set({ status: 'running', attempt: 1 })
    .where(eq(runs.id, running?.id ?? ''))
  await settle(seen)
  const canceledRuns = 4 * 3 - 1
  const stopped = await decisionOf(id)
  expect(stopped).toMatchObject({
    stopped: { reason: 'decided', canceledRuns },
    verdict: { isDecided: true, when: 'early', comparison: { left: 'careful', right: 'hasty', prompts: 10 } },
    completePrompts: 10,
    skippedPrompts: 0,
  })
  expect(stopped.saved).toEqual({ runs: canceledRuns, costUsd: expect.closeTo(canceledRuns * 0.1, 9) })
  const byStatus = Map.groupBy(await runsOf(id), ({ status }) => status)
  expect(byStatus.get('running')).toHaveLength(1)
  const reasons = new Set(byStatus.get('canceled')?.map(({ statusReason }) => statusReason))
  expect([...reasons]).toEqual(['Not needed: the question of the request was decided'])

  // Infrastructure sends the running one back to the queue. It does not start again.
  await db
    .update(runs)
    .set({ status: 'queued' })
    .where(eq(runs.id, running?.id ?? ''))
  await Promise.all([settle(seen), settle()])
  await settle(seen)
  const closed = await decisionOf(id)
  expect(closed).toMatchObject({
    stopped: { canceledRuns: canceledRuns + 1 },
    verdict: stopped.verdict,
    skippedPrompts: 0,
    canceledPrompts: 4,
  })
  const [row] = await db.select().from(decisions).where(eq(decisions.requestId, id))
  expect(row?.closedAt).not.toBeNull()
  const notices = await db.select().from(notificationEvents).where(eq(notificationEvents.subjectId, id))
  expect(notices.map(({ payload }) => payload)).toMatchObject([{ stopped: 'decided', canceled: canceledRuns + 1 }])
})

test('a stop that is killed between two parts starts no run meanwhile, and the next pass cancels the rest', async () => {
  const id = await submitted(question, { repeat: 10 })
  await end(id, { isSolved: clear, to: 10 })
  const { db } = platform.services
  const openCount = async () => (await runsOf(id)).filter(({ status }) => status === 'queued').length
  const waiting = await openCount()
  let transactions = 0
  const killed = Object.create(db, {
    transaction: {
      async value(...args: Parameters<typeof db.transaction>) {
        transactions += 1
        if (transactions === 3) throw new Error('killed')
        return db.transaction(...args)
      },
    },
  })
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  await settleDecisions({ ...platform.services, db: killed }, new Map())
  expect(logged).toHaveBeenCalledOnce()
  logged.mockRestore()
  expect(await openCount()).toBe(waiting - 50)
  const decided = { reason: 'decided', canceledRuns: 50 }
  expect(await decisionOf(id)).toMatchObject({ stopped: decided, verdict: { isDecided: true, when: 'early' } })
  const claimed = await claimRuns(db, { workerId: 'w', leaseSeconds: 60 }, 100)
  expect(claimed.filter(({ requestId }) => requestId === id)).toEqual([])
  await settle()
  expect(await openCount()).toBe(0)
  expect(await decisionOf(id)).toMatchObject({ stopped: { ...decided, canceledRuns: waiting } })
})

test('two servers stop a request once', async () => {
  const id = await submitted(question)
  await end(id, { isSolved: clear, to: 12 })
  await Promise.all([settle(), settle(), settle()])
  expect((await decisionOf(id)).stopped.canceledRuns).toBe(2 * 3)
})

test('a dead heat runs to its end and stays undecided', async () => {
  const id = await submitted({ groupBy: 'agent' })
  await end(id, { isSolved: even, to: 13 })
  await settle()
  expect(await decisionOf(id)).not.toHaveProperty('stopped')
  await end(id, { isSolved: even })
  await settle()
  const decision = await decisionOf(id)
  expect(decision.verdict).toMatchObject({ isDecided: false, when: 'runs', comparison: { prompts: promptCount } })
  expect(decision.looks).toHaveLength(promptCount)
  expect(decision.looks.at(-1)).toMatchObject({ runs: 3 * promptCount, costUsd: expect.closeTo(4.2, 9) })
})

test('a request ends when its money is spent, and p below 0.05 counts there', async () => {
  const id = await submitted({ ...question, endUsd: 2.35 })
  // 3 runs of $0.10 a prompt.
  const close = ({ agent }: RunRow, place: number) => agent === 'careful' || ![1, 3, 5, 7].includes(place)
  await end(id, { isSolved: close, to: 7 })
  await settle()
  expect(await decisionOf(id)).not.toHaveProperty('stopped')
  await end(id, { isSolved: close, to: 8, from: 7 })
  await settle()
  await settle()
  const decision = await decisionOf(id)
  expect(decision.stopped).toMatchObject({ reason: 'money', canceledRuns: 6 * 3 })
  expect(decision.verdict).toMatchObject({
    isDecided: true,
    when: 'money',
    comparison: { difference: 0.5, prompts: 8 },
  })
  const canceled = (await runsOf(id)).find(({ status }) => status === 'canceled')
  expect(canceled?.statusReason).toBe('Not started: the request had spent $2.35')
})

test('someone who cancels runs moves the end, so p below 0.05 does not count', async () => {
  const id = await submitted(question)
  const close = ({ agent }: RunRow, place: number) => agent === 'careful' || ![1, 3, 5, 7].includes(place)
  await end(id, { isSolved: close, to: 8 })
  await platform.request('POST', `/runs/${id}/cancel`)
  await settle()
  const { verdict } = await decisionOf(id)
  expect(verdict).toMatchObject({ isDecided: false, when: 'canceled', comparison: { prompts: 8 } })
  expect(verdict.comparison.pValue).toBeLessThan(0.05)
})

test('a request whose runs were all ended by infrastructure ends undecided, with every prompt skipped', async () => {
  const id = await submitted(question)
  await end(id, { isSolved: clear })
  await platform.services.db
    .update(runs)
    .set({ status: 'errored', infrastructureCause: 'provider_outage' })
    .where(eq(runs.requestId, id))
  await settle()
  const decision = await decisionOf(id)
  expect(decision).toMatchObject({ completePrompts: 0, skippedPrompts: promptCount, canceledPrompts: 0, looks: [] })
  expect(decision.verdict).toEqual({ isDecided: false, when: 'runs', at: expect.any(String) })
})

test('a stop cancels prompts, a person skips one, and only the runs of the stop are saved', async () => {
  const id = await submitted({ ...question, endUsd: 2.25 })
  const all = await runsOf(id)
  const [first] = all
  await platform.request('POST', `/runs/${id}/cancel`, { body: { runIds: [first?.id] } })
  await end(id, { isSolved: even, to: 8 })
  await settle()
  await settle()
  expect(await decisionOf(id)).toMatchObject({
    stopped: { reason: 'money' },
    verdict: { isDecided: false, when: 'canceled' },
    completePrompts: 7,
    skippedPrompts: 1,
    canceledPrompts: 6,
    saved: { runs: 6 * 3, costUsd: expect.closeTo(1.8, 9) },
  })
})

test('quick prompts do not count before a slow one that started earlier', async () => {
  const id = await submitted(question)
  await end(id, { isSolved: clear, from: 1, to: 13 })
  await settle()
  expect(await decisionOf(id)).toMatchObject({ completePrompts: 0, looks: [] })
  await end(id, { isSolved: clear, to: 1 })
  await settle()
  expect(await decisionOf(id)).toMatchObject({ completePrompts: 13, stopped: { reason: 'decided' } })
})

test('prompts with a run that a budget cut or that counts in no group are skipped', async () => {
  const id = await submitted(question)
  await end(id, { isSolved: clear })
  const { db } = platform.services
  const [first, second] = promptsOf(await runsOf(id))
  const ofRequest = eq(runs.requestId, id)
  await db
    .update(runs)
    .set({ costLimitHit: 'request' })
    .where(and(ofRequest, eq(runs.prompt, first ?? '')))
  const isHasty = and(ofRequest, eq(runs.prompt, second ?? ''), inArray(runs.agent, ['hasty']))
  await db.update(runs).set({ infrastructureCause: 'worker_lost' }).where(isHasty)
  await settle()
  expect(await decisionOf(id)).toMatchObject({ completePrompts: promptCount - 2, skippedPrompts: 2 })
})
