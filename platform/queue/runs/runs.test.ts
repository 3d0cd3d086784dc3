import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'
import { runs } from '#platform/ground/database/tables/runs.ts'

let platform: TestPlatform
beforeAll(async () => {
  platform = await openTestPlatform()
})
afterAll(() => platform.close())

let count = 0
let experiment = ''
beforeEach(async () => {
  count += 1
  experiment = `runs-${count}`
  await platform.request('POST', '/experiments', { yaml: twoByTwo(experiment, 'flags: [{id: verbose}]') })
})

const submit = (body?: unknown) =>
  platform.request('POST', `/experiments/${experiment}/runs`, body === undefined ? {} : { body })
const list = async (query: string) => (await platform.request('GET', `/runs?experiment_id=${experiment}&${query}`)).json

describe('submit', () => {
  test('without a body every variant runs once', async () => {
    const { status, json } = await submit()
    expect(status).toBe(202)
    expect(json).toMatchObject({ variantCount: 4, runCount: 4, ordinal: 1 })
    expect((await list('')).runs).toHaveLength(4)
  })

  test('selectors are a union, repeat 0 means 1, snake_case bodies are read', async () => {
    const { json } = await submit({ variant_ids: ['careful~sonnet-4.5~terse'], prompt_ids: ['wordy'], repeat: 0 })
    expect(json.variantIds).toEqual(['careful~sonnet-4.5~terse', 'careful~sonnet-4.5~wordy', 'hasty~sonnet-4.5~wordy'])
    expect(json.runCount).toBe(3)
  })

  test('repeat creates that many runs of each variant, each with its own id', async () => {
    const { json } = await submit({ agents: ['careful'], repeat: 3 })
    expect(json.runCount).toBe(6)
    const { runs } = await list(`run_request_id=${json.runRequestId}`)
    expect(new Set(runs.map(({ id }: { id: string }) => id)).size).toBe(6)
    for (const run of runs) expect(run.id).toBe(`${run.variantId}::${run.id.split('::')[1]}`)
  })

  test('a run with its own API key is byok; every other run is managed', async () => {
    const id = `${experiment}-keys`
    const models = 'models: [sonnet-4.5, {id: gpt-5, apiKey: "assay://secrets/openai"}]'
    const yaml = twoByTwo(id).replace('models: [sonnet-4.5]', models)
    await platform.request('POST', '/experiments', { yaml })
    const send = (body: object) => platform.request('POST', `/experiments/${id}/runs`, { body })
    await platform.request('PUT', '/secrets/openai', { body: { value: 'sk-live' } })
    await send({ prompt_ids: ['terse'], agents: [] })
    const { runs } = (await platform.request('GET', `/runs?experiment_id=${id}`)).json
    const kinds = runs.map(({ model, spendKind }: Record<string, string>) => `${model} ${spendKind}`)
    expect(new Set(kinds)).toEqual(new Set(['sonnet-4.5 managed', 'gpt-5 byok']))
  })

  test('412 failed_precondition names each missing secret of real runs; mock runs and runs without secrets start', async () => {
    const id = `${experiment}-lacks`
    const env = (slug: string) => `env: {K: assay://secrets/${slug}}`
    const flags = `flags: [{id: one, ${env('one')}}, {id: two, ${env('two')}}, {id: odd, ${env('a/b')}}]`
    await platform.request('POST', '/experiments', { yaml: twoByTwo(id, flags) })
    const send = (body: object) => platform.request('POST', `/experiments/${id}/runs`, { body })
    const { status, json } = await send({ flags: ['two', 'one', 'odd'] })
    expect([status, json.error]).toEqual([412, 'failed_precondition'])
    expect(json.message).toBe('Real runs cannot start: these secrets do not exist: one, two, a/b')
    expect((await platform.request('GET', `/runs?experiment_id=${id}`)).json.runs).toEqual([])
    expect((await send({ flags: ['one'], mock: true })).status).toBe(202)
    expect((await send({})).status).toBe(202)
    await platform.request('PUT', '/secrets/one', { body: { value: 'there now' } })
    expect((await send({ flags: ['one'] })).status).toBe(202)
    await platform.request('DELETE', '/secrets/one')
    expect((await send({ flags: ['one'] })).status).toBe(412)
  })

  test.each([
    ['unknown selectors', { agents: ['nobody'] }],
    ['an unknown version', { version: 'f'.repeat(64) }],
    ['an empty selection of unknown variants', { variantIds: ['careful~gpt-9~terse'] }],
    ['unknown flags', { flags: ['unheard-of'] }],
    ['a negative repeat', { repeat: -1 }],
    ['more runs than one request may hold', { repeat: 1001 }],
  ])('400 invalid_argument for %s, and no run is created', async (_, body) => {
    const { status, json } = await submit(body)
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
    expect((await list('')).runs).toEqual([])
  })

  test('404 not_found for a submit to an unknown experiment', async () => {
    expect((await platform.request('POST', '/experiments/nobody/runs')).status).toBe(404)
  })

  test('412 failed_precondition for a submit of an incomplete package', async () => {
    const yaml = twoByTwo('incomplete', 'files: [{dest: a.sh, source: a.sh}]')
    await platform.request('POST', '/experiments', {
      body: { experimentYaml: yaml, replaceVersionFiles: true, versionFiles: [] },
    })
    const { status, json } = await platform.request('POST', '/experiments/incomplete/runs')
    expect([status, json.error]).toEqual([412, 'failed_precondition'])
    expect(json.message).toBe('The package of this version lacks a.sh. Push the files with version_files')
  })

  test('real runs without a sandbox are refused with the reason; mock runs are not', async () => {
    const bare = await openTestPlatform({
      sandbox: { kind: 'unavailable', available: false, reason: 'bubblewrap is not installed' },
    })
    await bare.request('POST', '/experiments', { yaml: twoByTwo('bare') })
    const { status, json } = await bare.request('POST', '/experiments/bare/runs')
    expect([status, json.error]).toEqual([412, 'failed_precondition'])
    expect(json.message).toContain('bubblewrap is not installed')
    expect((await bare.request('POST', '/experiments/bare/runs', { body: { mock: true } })).status).toBe(202)
    await bare.close()
  })
})

describe('list', () => {
  test('run filters combine, statuses are counted before the status filter, `failed` means errored, unknown statuses are ignored', async () => {
    await submit()
    const careful = await list('agent=careful&prompt=terse,wordy&status=queued,nonsense')
    expect(careful.runs).toHaveLength(2)
    expect((await list('variant=hasty~sonnet-4.5~terse')).runs).toHaveLength(1)
    const failed = await list('status=failed')
    expect(failed.runs).toEqual([])
    expect(failed.statusCounts.queued).toBe(4)
    expect((await list('status=nonsense')).runs).toHaveLength(4)
    expect((await list('model=other')).runs).toEqual([])
    expect((await list('test_aware=true')).runs).toEqual([])
  })

  test('since and status_updated_since filter by the last status update; triggered_by takes creator ids', async () => {
    await submit({ agents: ['careful'] })
    const [run] = (await list('')).runs
    expect((await list(`since=${run.statusUpdatedAt}`)).runs).toHaveLength(2)
    expect((await list('status_updated_since=2999-01-01T00:00:00Z')).runs).toEqual([])
    expect((await list(`triggered_by=${run.triggeredBy.id}`)).runs).toHaveLength(2)
    expect((await list('triggered_by=nobody')).runs).toEqual([])
  })

  test('version_scope takes a fingerprint, an ordinal, latest or all', async () => {
    const { json } = await submit({ agents: ['careful'] })
    await platform.request('POST', '/experiments', { yaml: twoByTwo(experiment, 'description: newer') })
    for (const [scope, expected] of [
      [json.experimentFingerprint, 2],
      ['v1', 2],
      ['latest', 0],
      ['all', 2],
    ] as const) {
      expect((await list(`version_scope=${scope}`)).runs).toHaveLength(expected)
      expect((await list(`experiment_version=${scope}`)).runs).toHaveLength(expected)
    }
  })

  test('timed_out and plan_limited list the runs behind the counts of a request', async () => {
    const { json } = await submit({ repeat: 2 })
    const [first, second] = (await list('')).runs
    const { db } = platform.services
    const timedOut = { timeLimitHit: true, timeBudgetSeconds: 60 }
    await db
      .update(runs)
      .set({ ...timedOut, timePlanCapSeconds: 0 })
      .where(eq(runs.id, first.runUuid))
    await db
      .update(runs)
      .set({ ...timedOut, timePlanCapSeconds: 60 })
      .where(eq(runs.id, second.runUuid))
    const { runRequest } = (await platform.request('GET', `/runs/${json.runRequestId}`)).json
    expect(runRequest).toMatchObject({ timedOutCount: 2, planLimitedCount: 1 })
    expect((await list('timed_out=true')).runs).toHaveLength(2)
    expect((await list('plan_limited=true')).runs.map(({ id }: { id: string }) => id)).toEqual([second.id])
  })

  test('a request says how many of its runs are solved; runs that have not ended do not count', async () => {
    const { json } = await submit({ repeat: 2 })
    const [first, second] = (await list('')).runs
    const { db } = platform.services
    const ended = { status: 'completed' as const, testsPassed: 2 }
    await db.update(runs).set(ended).where(eq(runs.id, first.runUuid))
    await db
      .update(runs)
      .set({ ...ended, testsFailed: 1 })
      .where(eq(runs.id, second.runUuid))
    const { runRequest } = (await platform.request('GET', `/runs/${json.runRequestId}`)).json
    expect(runRequest.solved).toEqual({ solved: 1, runs: 2 })
  })

  test('pages of runs repeat and skip nothing while new runs arrive', async () => {
    await submit({ repeat: 5 })
    const ids: string[] = []
    let token = ''
    do {
      const page = await list(`limit=3&page_token=${token}`)
      ids.push(...page.runs.map(({ id }: { id: string }) => id))
      token = page.nextPageToken ?? ''
      if (ids.length === 3) await submit({ agents: ['careful'] })
    } while (token && ids.length < 1000)
    expect(ids).toHaveLength(20)
    expect(new Set(ids).size).toBe(20)
  })

  test('400 invalid_argument for a page_token that was given for other filters', async () => {
    await submit()
    const { nextPageToken } = await list('agent=careful&limit=1')
    expect((await list(`agent=careful&limit=1000&page_token=${nextPageToken}`)).runs).toHaveLength(1)
    for (const other of ['', 'agent=hasty&', 'agent=careful&status=queued&'])
      expect((await list(`${other}page_token=${nextPageToken}`)).error).toBe('invalid_argument')
  })
})

describe('read and cancel', () => {
  const readRun = (id: string, query = '') => platform.request('GET', `/runs/${encodeURIComponent(id)}${query}`)

  test('GET /runs/{id} returns one run for a composite id and the roll-up of a request for any other id', async () => {
    const { json } = await submit({ agents: ['careful'] })
    const [run] = (await list('')).runs
    expect((await readRun(run.id)).json.run).toMatchObject({
      id: run.id,
      status: 'queued',
      promptText: expect.any(String),
    })
    const { runRequest } = (await readRun(json.runRequestId)).json
    expect(runRequest).toMatchObject({ runCount: 2, timedOutCount: 0, planLimitedCount: 0, guidance: [] })
    expect(runRequest.solved).toEqual({ solved: 0, runs: 0 })
    expect(runRequest.statusCounts.queued).toBe(2)
    for (const id of ['nobody', 'nobody::123', '00000000-0000-4000-8000-000000000000']) {
      expect((await readRun(id)).json.error).toBe('not_found')
    }
  })

  test('timeLimit is absent if none was recorded, which differs from a limit of zero', async () => {
    await submit({ agents: ['careful'] })
    const [run] = (await list('')).runs
    expect((await readRun(run.id)).json.run.timeLimit).toBeUndefined()
    await platform.services.db.execute(
      `update runs set time_budget_seconds = 0, time_plan_cap_seconds = 0, time_limit_hit = false where id = '${run.runUuid}'`,
    )
    const timeLimit = { budgetSeconds: 0, planCapSeconds: 0, hit: false }
    expect((await readRun(run.id)).json.run).toMatchObject({ timeLimit, guidance: [] })
  })

  test('a request has one advice for each time limit that its runs reached, with the prompts of these runs', async () => {
    const { json } = await submit()
    await platform.services.db.execute(
      `update runs set time_limit_hit = true, time_budget_seconds = case prompt when 'terse' then 60 else 600 end
       where request_id = '${json.runRequestId}'`,
    )
    const { runRequest } = (await readRun(json.runRequestId)).json
    const editor = `/experiments/${experiment}/definition`
    expect(runRequest.guidance).toMatchObject([
      { suggestedMaxTimeSeconds: 1200, actionUrl: `${editor}?maxTimeSeconds=1200&prompt=wordy` },
      { suggestedMaxTimeSeconds: 120, actionUrl: `${editor}?maxTimeSeconds=120&prompt=terse` },
    ])
  })

  test('a transcript that is not published yet has transcriptStatus unavailable and no turns', async () => {
    await submit({ agents: ['careful'] })
    const [run] = (await list('')).runs
    const { json } = await readRun(run.id, '?transcript=true')
    expect(json.transcriptStatus).toBe('unavailable')
    expect(json.transcript).toBeUndefined()
    expect((await readRun(run.id)).json.transcriptStatus).toBeUndefined()
  })

  test.each([
    '?limit=5',
    '?include=reasoning',
    '?transcript=true&include=thoughts',
    '?transcript=true&limit=0',
    '?transcript=true&limit=10001',
  ])('400 invalid_argument for the transcript parameters %s', async (query) => {
    await submit({ agents: ['careful'] })
    const [run] = (await list('')).runs
    expect((await readRun(run.id, query)).json.error).toBe('invalid_argument')
  })

  test('a request id matches in either letter case, and an empty version scope filters nothing', async () => {
    const { json } = await submit({ agents: ['careful'] })
    expect((await readRun(json.runRequestId.toUpperCase())).json.runRequest.id).toBe(json.runRequestId)
    expect((await list(`version_scope=&run_request_id=${json.runRequestId.toUpperCase()}`)).runs).toHaveLength(2)
  })

  test('the test-aware filter lists test-aware runs, each with the turn that shows it', async () => {
    await submit({ agents: ['careful'] })
    const [run] = (await list('')).runs
    await platform.services.db.execute(
      `update runs set test_aware = true, test_aware_evidence_seq = 7 where id = '${run.runUuid}'`,
    )
    expect((await list('test_aware=true')).runs.map(({ id }: { id: string }) => id)).toEqual([run.id])
    expect((await readRun(run.id)).json.run).toMatchObject({ testAware: true, testAwareEvidenceSeq: 7 })
  })

  test('400 invalid_argument for the transcript of a request', async () => {
    const { json } = await submit()
    expect((await readRun(json.runRequestId, '?transcript=true')).status).toBe(400)
  })

  test('400 invalid_argument for a cancel with a composite run id', async () => {
    await submit()
    const [run] = (await list('')).runs
    const { status, json } = await platform.request('POST', `/runs/${encodeURIComponent(run.id)}/cancel`)
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
  })

  test('cancel ends the named runs, then all remaining runs, and repeating it changes nothing', async () => {
    const { json } = await submit()
    const [run] = (await list('')).runs
    const cancel = (body?: unknown) =>
      platform.request('POST', `/runs/${json.runRequestId}/cancel`, body === undefined ? {} : { body })
    expect((await cancel({ run_ids: [run.runUuid] })).json).toMatchObject({
      canceledCount: 1,
      statusCounts: { canceled: 1, queued: 3 },
    })
    const foreign = '00000000-0000-4000-8000-000000000000'
    expect((await cancel({ runIds: [foreign] })).json).toMatchObject({ canceledCount: 0, statusCounts: { queued: 3 } })
    expect((await cancel({ runIds: [] })).json).toMatchObject({ canceledCount: 0, statusCounts: { queued: 3 } })
    expect((await cancel()).json).toMatchObject({ canceledCount: 3, statusCounts: { canceled: 4 } })
    expect((await cancel()).json.canceledCount).toBe(0)
    expect((await cancel({ runIds: ['not-a-uuid'] })).status).toBe(400)
    expect((await platform.request('POST', '/runs/00000000-0000-4000-8000-000000000000/cancel')).status).toBe(404)
    const { run: canceled } = (await readRun(run.id)).json
    expect(canceled.statusHistory.map(({ status }: { status: string }) => status)).toEqual(['queued', 'canceled'])
  })

  test('404 not_found in every route for runs of another organization', async () => {
    const { createOrganization } = await import('#platform/people/identity/create-organization.ts')
    await createOrganization(platform.services, { slug: `rival-${count}` })
    const key = await platform.newKey({ organizations: [`rival-${count}`] })
    const { json } = await submit()
    const [run] = (await list('')).runs
    const paths = [
      `/runs/${json.runRequestId}`,
      `/runs/${encodeURIComponent(run.id)}`,
      `/runs/${json.runRequestId}/tests`,
      `/experiments/${experiment}`,
    ]
    for (const path of paths) expect((await platform.request('GET', path, { key })).status).toBe(404)
    expect((await platform.request('POST', `/runs/${json.runRequestId}/cancel`, { key })).status).toBe(404)
    expect((await platform.request('GET', '/runs', { key })).json.runs).toEqual([])
  })
})
