import { randomUUID } from 'node:crypto'

import { eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { claimRuns } from '#platform/queue/run-queue/claim-runs.ts'
import { reclaimLostRuns } from '#platform/queue/run-queue/reclaim-lost-runs.ts'
import { settleRun } from '#platform/queue/run-queue/settle-run.ts'
import type { RunEnding } from '#platform/queue/run-queue/run-ending.ts'
import { runRequests, runs } from '#platform/ground/database/tables/runs.ts'
import { completedRun } from '#platform/program/testing/completed-run.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { grantCredit } from './grant-credit.ts'
import { creditHolds, runUsage } from '#platform/ground/database/tables/credits.ts'

/** Expensive enough to notice: ten cents a second, twelve dollars for a run without history. */
const runRate = 100_000

let count = 0
let slug: string
let organizationId: string
let admin: string
let member: string

const platform = await openTestPlatform()
beforeAll(async () => {
  platform.services.creditTerms.runRate = runRate
})
afterAll(() => platform.close())

beforeEach(async () => {
  count += 1
  slug = `org-${count}`
  organizationId = (await createOrganization(platform.services, { slug })).id
  admin = await platform.newKey({ organizations: [slug], email: `admin${count}@lab.example` })
  member = await platform.newKey({ organizations: [slug], role: 'member', email: `member${count}@lab.example` })
  await push('two-by-two')
})

const push = (id: string, extra = '') =>
  platform.request('POST', '/experiments', { key: admin, yaml: twoByTwo(id, extra) })

const submit = (body: object, { key = admin, id = 'two-by-two' } = {}) =>
  platform.request('POST', `/experiments/${id}/runs`, { key, body })

const balance = async () => (await platform.request('GET', '/credits/balance', { key: admin })).json
const spend = async (query = '', key = admin) => (await platform.request('GET', `/credits/spend${query}`, { key })).json

const worker = { workerId: 'w', leaseSeconds: 30 }

/** Claims every queued run, as if its worker had had it for some seconds. */
async function claimAll(seconds: number) {
  const claimed = await claimRuns(platform.services.db, { ...worker, workerId: randomUUID() }, 1000)
  const ids = claimed.map(({ id }) => id)
  if (ids.length > 0) {
    const earlier = sql`now() - make_interval(secs => ${seconds})`
    await platform.services.db.update(runs).set({ startedAt: earlier }).where(inArray(runs.id, ids))
  }
  return claimed
}

const ending = (status: RunEnding['status'], costUsd: number | null = null): RunEnding => ({
  ...completedRun,
  status,
  transcript:
    costUsd === null
      ? null
      : {
          segments: [],
          skippedMalformed: 0,
          unknownLines: null,
          reportedUsage: null,
          measures: {
            costUsd,
            toolCalls: null,
            toolFailures: null,
            inputTokens: null,
            outputTokens: null,
            totalTokens: null,
          },
        },
  wallSeconds: seconds,
  heldSeconds: seconds,
})
const seconds = 10

async function endAll(status: RunEnding['status'], costUsd: number | null = null) {
  for (const run of await claimAll(seconds))
    await settleRun(platform.services, { ...run, runId: run.id }, ending(status, costUsd))
}

/** Ten seconds at ten cents a second, plus the time of the test itself. */
const isOneDollar = (micros: string) => Number(micros) >= 1_000_000 && Number(micros) < 1_300_000

describe('a submission', () => {
  test('a submission holds the estimated charge of its runs, and each run releases the rest when it ends', async () => {
    expect((await submit({ agents: ['hasty'] })).status).toBe(202)
    expect(await balance()).toMatchObject({ totalBalanceMicros: '25000000', heldMicros: '24000000' })
    await endAll('completed')
    const { totalBalanceMicros, heldMicros } = await balance()
    expect(heldMicros).toBe('0')
    expect(isOneDollar(String((25_000_000 - Number(totalBalanceMicros)) / 2))).toBe(true)
    expect((await spend()).totalManagedSpendMicros).toBe(String(25_000_000 - Number(totalBalanceMicros)))
  })

  test('429 resource_exhausted when the credit does not cover a submission: nothing is created, and an admin reads the missing amount', async () => {
    const response = await submit({})
    expect(response).toMatchObject({ status: 429, json: { error: 'resource_exhausted' } })
    expect(response.json.message).toBe(
      'These 4 runs may cost $48.00, but $25.00 of credit is available: $23.00 is missing. Top up at least $23.00 under Credits (POST /credits/reload), submit fewer runs, or use mock runs, which cost nothing',
    )
    const requests = await platform.services.db
      .select()
      .from(runRequests)
      .where(eq(runRequests.organizationId, organizationId))
    expect(requests).toEqual([])
    expect((await platform.request('GET', '/runs', { key: admin })).json.runs).toEqual([])
    expect(await balance()).toMatchObject({ totalBalanceMicros: '25000000', heldMicros: '0' })
  })

  test('a member who is refused for credit sees whom to ask, and no balance', async () => {
    const { status, json } = await submit({}, { key: member })
    expect(status).toBe(429)
    expect(json.message).toContain('Ask an admin to top it up')
    expect(json.message).not.toContain('25.00')
  })

  test('a mock run costs nothing and holds no credit', async () => {
    expect((await submit({ mock: true, repeat: 50 })).status).toBe(202)
    await endAll('completed', 3)
    expect(await balance()).toMatchObject({ totalBalanceMicros: '25000000', heldMicros: '0' })
  })

  test('several submissions at once never hold more credit than there is', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => submit({ agents: ['hasty'], promptIds: [] })))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1)
    expect((await balance()).heldMicros).toBe('24000000')
  })

  test('a submission holds exactly its estimate to the micro, with or without history, and for a member too', async () => {
    const estimate = (body: object, key = admin) =>
      platform.request('POST', '/experiments/two-by-two/runs/estimate', { key, body })
    const isHeld = async (body: object) => {
      const estimated = await estimate(body)
      expect((await estimate(body, member)).json).toEqual(estimated.json)
      const before = BigInt((await balance()).heldMicros)
      expect(estimated.json.runCount).toBe((await submit(body)).json.runCount)
      expect(BigInt((await balance()).heldMicros) - before).toBe(BigInt(estimated.json.heldMicros))
      return estimated.json.heldMicros
    }
    expect(await isHeld({ agents: ['hasty'] })).toBe('24000000')
    await endAll('completed')
    expect(Number(await isHeld({ agents: ['hasty'], repeat: 3 }))).toBeLessThan(8_000_000)
    expect(await isHeld({ mock: true, repeat: 2 })).toBe('0')
  })

  test('a run of a prompt with a shorter time limit of its own has a smaller estimate', async () => {
    const own = 'wordy, text: Please write it., limits: {maxTimeSeconds: 30}'
    const yaml = twoByTwo('tasks').replace('wordy, text: Please write it.', own)
    await platform.request('POST', '/experiments', { key: admin, yaml })
    const heldFor = async (prompt: string) => {
      const body = { prompt_ids: [prompt], agents: [] }
      return (await platform.request('POST', '/experiments/tasks/runs/estimate', { key: admin, body })).json.heldMicros
    }
    expect([await heldFor('terse'), await heldFor('wordy')]).toEqual(['24000000', '6000000'])
  })

  test('an uncovered submission still has an estimate, which holds nothing', async () => {
    const { status, json } = await platform.request('POST', '/experiments/two-by-two/runs/estimate', {
      key: admin,
      body: {},
    })
    expect([status, json]).toEqual([200, { runCount: 4, currency: 'USD', heldMicros: '48000000', refusals: [] }])
    expect((await balance()).heldMicros).toBe('0')
    expect((await platform.request('GET', '/runs', { key: admin })).json.runs).toEqual([])
  })

  test.each([{ agents: ['nobody'] }, { variantIds: ['none'] }, { version: 'v9' }, { flags: ['none'] }, { repeat: -1 }])(
    'an invalid submission %j has no estimate either',
    async (body) => {
      const refused = await submit(body)
      const response = await platform.request('POST', '/experiments/two-by-two/runs/estimate', { key: admin, body })
      expect([response.status, response.json.message]).toEqual([400, refused.json.message])
    },
  )

  test('a submission holds the past cost of its variants once there is some', async () => {
    await submit({ agents: ['hasty'] })
    await endAll('completed')
    await balance()
    expect((await submit({ agents: ['hasty'], repeat: 3 })).status).toBe(202)
    expect(Number((await balance()).heldMicros)).toBeLessThan(8_000_000)
  })
})

describe('the end of a run', () => {
  beforeEach(async () => {
    await submit({ agents: ['hasty'] })
  })

  test.each(['errored', 'canceled'] as const)(
    'a run %s by its worker costs the time that the worker had it',
    async (status) => {
      await endAll(status)
      expect(isOneDollar(String(Number((await spend()).totalManagedSpendMicros) / 2))).toBe(true)
      expect((await balance()).heldMicros).toBe('0')
    },
  )

  test('a run canceled before it started costs nothing', async () => {
    const { runs } = (await platform.request('GET', '/runs', { key: admin })).json
    await platform.request('POST', `/runs/${runs[0].runRequestId}/cancel`, { key: admin, body: {} })
    expect(await balance()).toMatchObject({ totalBalanceMicros: '25000000', heldMicros: '0' })
  })

  test('a run lost with its worker three times costs nothing and releases its hold', async () => {
    for (let loss = 0; loss < 3; loss += 1) {
      const [run] = await claimAll(seconds)
      expect((await balance()).heldMicros).toBe('24000000')
      await reclaimLostRuns(platform.services, { workers: { workerIds: [run?.leaseOwner ?? ''] } })
    }
    expect(await balance()).toMatchObject({ totalBalanceMicros: '25000000', heldMicros: '0' })
  })

  test('a run whose end is reported twice is charged once', async () => {
    const claimed = await claimAll(seconds)
    for (const run of [...claimed, ...claimed])
      await settleRun(platform.services, { ...run, runId: run.id }, ending('completed'))
    await Promise.all([balance(), spend(), balance()])
    const usages = await platform.services.db.select().from(runUsage).where(eq(runUsage.organizationId, organizationId))
    expect(usages).toHaveLength(2)
    const charged = usages.reduce((sum, { infrastructureMicros }) => sum + infrastructureMicros, 0n)
    expect((await balance()).totalBalanceMicros).toBe(String(25_000_000n - charged))
  })
})

describe('the charge for a run', () => {
  const preset = (id: string, extra: string) => `
id: ${id}
name: ${id}
agents: [{id: claude, preset: claude-code}]
models: [${extra}]
environments: [{id: net, network: true}]
`
  const submitOf = async (yaml: string, id: string) => {
    await platform.request('POST', '/experiments', { key: admin, yaml })
    return submit({}, { id })
  }
  const managedTerms = () => Object.assign(platform.services.creditTerms, { managedKeys: { anthropic: 'sk-operator' } })
  beforeEach(() => grantCredit(platform.services, { organizationId, micros: 100_000_000n }))

  test("a run with the operator's key is charged the price of its model", async () => {
    managedTerms()
    expect((await submitOf(preset('managed', 'claude-sonnet-4-5'), 'managed')).status).toBe(202)
    await endAll('completed', 2.5)
    const { totalManagedSpendMicros } = await spend('?experiment=managed')
    expect(isOneDollar(String(Number(totalManagedSpendMicros) - 2_500_000))).toBe(true)
  })

  test("the cost of an organization's own key is never charged, and is shown separately only on request", async () => {
    managedTerms()
    const own = '{id: claude-sonnet-4-5, apiKey: sk-own}'
    await submitOf(preset('byok', own), 'byok')
    await endAll('completed', 2.5)
    const plain = await spend('?experiment=byok')
    expect(isOneDollar(plain.totalManagedSpendMicros)).toBe(true)
    expect([plain.totalByokAttributionMicros, plain.series[0].byokAttributionMicros]).toEqual(['0', '0'])
    const asked = await spend('?experiment=byok&include_byok=true')
    expect(asked.totalByokAttributionMicros).toBe('2500000')
    expect(asked.totalManagedSpendMicros).toBe(plain.totalManagedSpendMicros)
  })

  test("every agent can use the operator's key through the gateway, but only for models with a price and at the provider's own address", async () => {
    managedTerms()
    await submitOf(preset('unpriced', 'claude-of-tomorrow'), 'unpriced')
    await submitOf(
      preset('own-address', '{id: claude-sonnet-4-5, env: {ANTHROPIC_BASE_URL: http://x.test}}'),
      'own-address',
    )
    const command = preset('command', 'claude-sonnet-4-5').replace('preset: claude-code', 'command: [x]')
    await submitOf(command, 'command')
    const holds = await platform.services.db
      .select()
      .from(creditHolds)
      .where(eq(creditHolds.organizationId, organizationId))
    expect(holds.map(({ platformKey }) => platformKey).sort()).toEqual([false, false, true])
  })

  test("an experiment may choose programs and what they load on the operator's key, because its runs only get a token", async () => {
    managedTerms()
    const own = "env: {PATH: '/workspace/bin', NODE_OPTIONS: '--require=/workspace/read.cjs', NODE_ENV: test}"
    const yaml = preset('taken', 'claude-sonnet-4-5').replace('preset: claude-code}', `preset: claude-code, ${own}}`)
    expect((await submitOf(yaml, 'taken')).status).toBe(202)
  })

  test('the charge is what the gateway measured, and the cost that the agent reports only where there was no gateway', async () => {
    managedTerms()
    await submitOf(preset('measured', 'claude-sonnet-4-5'), 'measured')
    for (const run of await claimAll(seconds)) {
      const models = {
        calls: 1,
        inputTokens: 1,
        outputTokens: 1,
        costUsd: 4,
        hasEstimates: false,
        limitUsd: null,
        limitHit: null,
      }
      await settleRun(platform.services, { ...run, runId: run.id }, { ...ending('completed', 0.01), models })
    }
    const { totalManagedSpendMicros } = await spend('?experiment=measured')
    expect(isOneDollar(String(Number(totalManagedSpendMicros) - 4_000_000))).toBe(true)
  })
})
