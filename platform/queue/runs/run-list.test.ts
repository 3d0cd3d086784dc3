import { randomUUID } from 'node:crypto'

import { eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { passRate } from '#contract/outcomes.ts'
import { type RunList, type RunSortField, runSortFields } from '#contract/run-list.ts'
import { runStatuses } from '#contract/run-status.ts'
import type { Run } from '#contract/runs.ts'
import { compositeRunId } from '#contract/wire/run-id.ts'
import { runRequests, runs } from '#platform/ground/database/tables/runs.ts'
import { addVersion } from '#platform/program/testing/finished-runs.ts'
import { findFirst, sectionsOf } from './list-store.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'

let platform: TestPlatform
let fingerprint: string
let people: string[]
/** Every run, in the default order. */
let all: readonly Run[]
beforeAll(async () => {
  platform = await openTestPlatform()
  const { db } = platform.services
  for (const experimentId of ['one', 'two'])
    fingerprint = await addVersion(db, { organizationId: platform.organization.id, experimentId, ordinal: 1 })
  const keys = await Promise.all(['zoe@lab.example', 'ada@lab.example'].map((email) => platform.newKey({ email })))
  people = await Promise.all(
    keys.map(async (key) => (await platform.request('GET', '/whoami', { key })).json.actor.id as string),
  )
  await addRuns(120)
  all = (await list('limit=1000')).runs
})
afterAll(() => platform.close())

type NewRun = Partial<typeof runs.$inferInsert>
const nth = <Item>(items: readonly Item[], index: number) => items[index % items.length] as Item

/** Runs with few different values and many nulls, so that most runs of a page are equal. */
function variedRun(index: number): NewRun {
  const ended = index % 7 !== 0
  return {
    experimentId: nth(['one', 'two'], index),
    triggeredBy: nth(people, Math.floor(index / 3)),
    ordinal: 1 + (index % 3),
    agent: nth(['careful', 'Careful', 'é-agent', 'hasty'], index),
    model: nth([null, 'm-10', 'm-9'], index),
    product: nth([null, null, 'p'], index),
    environment: nth(['e', null], index),
    prompt: nth([null, 'terse', 'wordy', '100%_sure'], Math.floor(index / 2)),
    agentMode: nth([null, 'plan', 'default'], Math.floor(index / 5)),
    testAware: index % 9 === 0,
    repeat: 1 + (index % 4),
    status: ended
      ? nth(['completed', 'errored', 'canceled'] as const, index)
      : nth(['queued', 'running'] as const, index),
    statusReason: nth([null, null, 'It’s a "trap" \\ with 5% left'], index),
    createdAt: `2026-11-20T10:00:0${index % 4}.00000${index % 2}Z`,
    endedAt: ended ? `2026-11-20T11:00:0${index % 5}.00000${index % 3}Z` : null,
    testsPassed: ended ? index % 3 : 0,
    testsFailed: ended ? index % 4 : 0,
    testsUnresolved: index % 11 === 1 ? 1 : 0,
    testsErrored: index % 13 === 1 ? 1 : 0,
    testsSkipped: index % 5 === 0 ? 1 : 0,
    agentExitCode: nth([null, 0, 0, 1, 137], index),
    costUsd: nth([null, 0, 0.1, 1e-7, 2.5], index),
    wallSeconds: nth([null, 0.1 + 0.2, 61.5], index),
    toolCalls: nth([null, 0, 5], index),
    toolFailures: nth([0, null], index),
    totalTokens: nth([null, 1, 2_000_000_000], index),
  }
}

async function addRuns(count: number, change: NewRun = {}) {
  const { db } = platform.services
  const requestIds = [randomUUID(), randomUUID()]
  const version = { organizationId: platform.organization.id, fingerprint, ordinal: 1 }
  const request = {
    experimentId: 'one',
    triggeredBy: people[0] ?? '',
    variantIds: [],
    repeat: 1,
    flags: [],
    mock: true,
  }
  for (const id of requestIds)
    await db.insert(runRequests).values({ id, ...version, ...request, createdAt: '2026-11-20T10:00:00Z' })
  const rows = Array.from({ length: count }, (_, index) => {
    const id = randomUUID()
    const facts = { ...version, ...request, ...variedRun(index), ...change }
    const variantId = `${facts.agent}~${facts.prompt ?? 'none'}`
    const ids = { id, requestId: nth(requestIds, index), variantId, compositeId: compositeRunId(variantId, id) }
    return { ...facts, ...ids, statusUpdatedAt: facts.createdAt } as typeof runs.$inferInsert
  })
  await db.insert(runs).values(rows)
  return rows.map(({ id }) => id)
}

async function list(query: string): Promise<RunList> {
  const { status, json } = await platform.request('GET', `/runs?${query}`)
  expect([query, status]).toEqual([query, 200])
  return json
}

async function walk(query: string, limit: number, between: () => Promise<unknown> = async () => {}) {
  const found: Run[] = []
  let token: string | undefined = ''
  for (let page = 0; token !== undefined && page < 500; page += 1) {
    const { runs: shown, nextPageToken }: RunList = await list(`${query}&limit=${limit}&page_token=${token}`)
    found.push(...shown)
    token = nextPageToken
    await between()
  }
  return found
}

const idsOf = (rows: readonly Run[]) => rows.map(({ runUuid }) => runUuid)

const valueOf = (run: Run, field: RunSortField) => {
  if (field === 'passRate') return passRate(run.outcomes)
  if (field === 'triggeredBy') return run.triggeredBy.name
  return run[field] ?? null
}

/** The order of bytes, as the API promises for text. */
const compare = (a: string | number, b: string | number) =>
  typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)))

const indexNames: Partial<Record<RunSortField, string>> = {
  createdAt: 'runs_newest',
  status: 'runs_by_status',
  variantId: 'ended_runs_by_variant',
  experimentId: 'ended_runs_by_experiment',
  ordinal: 'ended_runs_by_version',
  passRate: 'ended_runs_by_pass_rate',
  agentExitCode: 'ended_runs_by_exit_code',
  wallSeconds: 'ended_runs_by_seconds',
  runRequestId: 'ended_runs_by_request',
  triggeredBy: 'ended_runs_by_submitter',
}
const inSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const indexOf = (field: RunSortField) =>
  indexNames[field] ?? `ended_runs_by_${inSnakeCase(field).replace(/_(at|usd)$|^total_/, '')}`

/** The plans of the first page's sections, where the planner avoids sorts. */
async function plansOf(field: RunSortField, isDescending: boolean) {
  const organizationId = platform.organization.id
  return platform.services.db.transaction(async (tx) => {
    for (const setting of ['seqscan', 'bitmapscan', 'sort', 'incremental_sort'])
      await tx.execute(sql.raw(`set local enable_${setting} = off`))
    const sections = await sectionsOf(tx, { organizationId }, { field, isDescending })
    const plans = sections.map(async (section) => {
      const { rows } = (await tx.execute(
        sql`explain ${findFirst(tx, { organizationId }, section, 20)}`,
      )) as unknown as { rows: { 'QUERY PLAN': string }[] }
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    return Promise.all(plans)
  })
}

/** Sorts independently of SQL: nulls last in both directions, then by time and id in the direction of the sort. */
function sorted(all: readonly Run[], field: RunSortField, isDescending: boolean) {
  const sign = isDescending ? -1 : 1
  return all.toSorted((a, b) => {
    const [one, other] = [valueOf(a, field), valueOf(b, field)]
    if ((one === null) !== (other === null)) return one === null ? 1 : -1
    const byValue = one === null || other === null ? 0 : sign * compare(one, other)
    return byValue || sign * (compare(a.createdAt, b.createdAt) || compare(a.runUuid, b.runUuid))
  })
}

describe('sort', () => {
  test.each(runSortFields.flatMap((field) => [field, `-${field}`]))(
    'sort=%s gives the order of an independent sort over its pages',
    async (sort) => {
      const expected = idsOf(sorted(all, sort.replace('-', '') as RunSortField, sort.startsWith('-')))
      expect(expected).toHaveLength(120)
      expect(idsOf(await walk(`sort=${sort}`, 47))).toEqual(expected)
    },
  )

  test.each(runSortFields.flatMap((field) => [false, true].map((isDescending) => ({ field, isDescending }))))(
    'a page sorted by $field (descending: $isDescending) reads its ended runs in the order of an index',
    async ({ field, isDescending }) => {
      const [plan = ''] = await plansOf(field, isDescending)
      expect(plan).toContain(`Index Scan${isDescending ? ' Backward' : ''} using ${indexOf(field)} on runs`)
    },
  )

  test('a sort combines with filters, and its field can also be sent in snake_case', async () => {
    const expected = sorted(
      all.filter(({ agent }) => agent === 'hasty'),
      'wallSeconds',
      true,
    )
    expect(idsOf((await list('agent=hasty&sort=-wall_seconds')).runs)).toEqual(idsOf(expected))
  })

  test('-createdAt is the default order, with the same page tokens', async () => {
    const { runs: first, nextPageToken } = await list('limit=10')
    const named = await list('sort=-createdAt&limit=10')
    expect([idsOf(named.runs), named.nextPageToken]).toEqual([idsOf(first), nextPageToken])
  })

  test('400 invalid_argument for a page_token of another sort, and of no sort', async () => {
    const { nextPageToken } = await list('sort=costUsd&limit=5')
    for (const other of ['sort=-costUsd', 'sort=wallSeconds', ''])
      expect((await platform.request('GET', `/runs?${other}&page_token=${nextPageToken}`)).status).toBe(400)
  })

  test.each([
    'nonsense',
    '-',
    '--costUsd',
    'costUsd,agent',
    'costUsd desc',
    "costUsd'; drop table runs; --",
    'id',
    '1',
  ])('400 invalid_argument for sort=%s, and the message lists the fields', async (sort) => {
    const { status, json } = await platform.request('GET', `/runs?sort=${encodeURIComponent(sort)}`)
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
    expect(json.message).toContain('costUsd')
  })

  test('400 invalid_argument, not 500, for a page token with a forged position', async () => {
    const forge = (token: string, ...position: unknown[]) => {
      const [fingerprintOfList] = JSON.parse(Buffer.from(token, 'base64url').toString())
      return Buffer.from(JSON.stringify([fingerprintOfList, ...position])).toString('base64url')
    }
    const at = '2026-11-20T10:00:00Z'
    const id = randomUUID()
    const forged = {
      repeat: [[2 ** 40, at, id], ['x', at, id], [1.5, at, id], [at, id], [1, 'x', id], [1, at, 'x'], [1, at], []],
      costUsd: [
        ['1', at, id],
        [true, at, id],
        [null, at, id],
        [1, 2, 3],
      ],
      endedAt: [
        ['yesterday', at, id],
        [1, at, id],
      ],
      runRequestId: [['x', at, id]],
      agent: [
        [1, at, id],
        ['a\0', at, id],
      ],
    }
    for (const [sort, positions] of Object.entries(forged)) {
      const { nextPageToken = '' } = await list(`sort=${sort}&limit=1`)
      for (const position of positions) {
        const token = forge(nextPageToken, ...position)
        const { status } = await platform.request('GET', `/runs?sort=${sort}&page_token=${token}`)
        expect([sort, position, status]).toEqual([sort, position, 400])
      }
    }
  })

  test.each(['-wallSeconds', 'model', 'agentExitCode'])(
    'pages of sort=%s contain every unchanged run exactly once while runs are added and change',
    async (sort) => {
      const before = new Set(idsOf((await list('limit=1000&experiment_id=two')).runs))
      const added: string[] = []
      const { db } = platform.services
      const disturb = async () => {
        const [mover = ''] = await addRuns(1, {
          experimentId: 'two',
          wallSeconds: null,
          model: 'm-9',
          agentExitCode: 0,
        })
        added.push(mover, ...(await addRuns(2, { experimentId: 'two' })))
        await db.update(runs).set({ wallSeconds: 30, model: null, agentExitCode: 2 }).where(eq(runs.id, mover))
      }
      const seen = idsOf(await walk(`experiment_id=two&sort=${sort}`, 9, disturb))
      expect(seen.filter((id) => before.has(id)).toSorted()).toEqual([...before].toSorted())
      await db.delete(runs).where(inArray(runs.id, added))
    },
  )

  test('a sorted list has no stamp, so a client that polls it always receives the whole page', async () => {
    const { stamp } = await list('limit=5')
    const answer = await list(`sort=costUsd&limit=5&changed_since=${stamp}`)
    expect([answer.stamp, answer.changes, answer.runs.length]).toEqual([undefined, undefined, 5])
  })
})

describe('search', () => {
  const searched = async (text: string) => (await list(`limit=1000&search=${encodeURIComponent(text)}`)).runs

  test('text is found in the id, the variant, the prompt and the error, in either letter case', async () => {
    const [first] = all
    expect(idsOf(await searched(first?.id.slice(-12) ?? ''))).toEqual([first?.runUuid])
    const withText = (text: string) =>
      all.filter(({ id, prompt, statusReason = '' }) =>
        [id, prompt ?? '', statusReason].some((field) => field.toLowerCase().includes(text.toLowerCase())),
      )
    for (const text of ['TERSE', 'careful~', 'é-AGENT', 'trap', ' wordy '])
      expect(idsOf(await searched(text)), text).toEqual(idsOf(withText(text.trim())))
  })

  test.each([8, 9, 20, 36])(
    'the first %i characters of the UUID of a run or of its request find it',
    async (length) => {
      const { runUuid = '', runRequestId = '' } = all[0] ?? {}
      expect(idsOf(await searched(runUuid.slice(0, length).toUpperCase()))).toEqual([runUuid])
      const ofRequest = all.filter((run) => run.runRequestId === runRequestId)
      expect(idsOf(await searched(runRequestId.slice(0, length)))).toEqual(idsOf(ofRequest))
    },
  )

  test.each([8, 12, 13, 36])(
    'the last %i characters of the UUID of a run or of its request find it',
    async (length) => {
      const { runUuid = '', runRequestId = '' } = all[0] ?? {}
      expect(idsOf(await searched(runUuid.slice(-length).toUpperCase()))).toEqual([runUuid])
      const ofRequest = all.filter((run) => run.runRequestId === runRequestId)
      expect(idsOf(await searched(runRequestId.slice(-length)))).toEqual(idsOf(ofRequest))
    },
  )

  test.each(['%', '_', '\\', '"', '’', "'", '5%', '100%_sure', '%%%', "' or 1=1 --", '$1', ':x', '{}'])(
    'the text %s is taken literally',
    async (text) => {
      const expected = all.filter(({ id, statusReason = '' }) => `${id} ${statusReason}`.includes(text))
      expect(idsOf(await searched(text))).toEqual(idsOf(expected))
    },
  )

  test('400 invalid_argument for a NUL and for more than 500 characters; blank text filters nothing', async () => {
    const ask = (text: string) => platform.request('GET', `/runs?search=${encodeURIComponent(text)}`)
    expect((await ask('a\0b')).status).toBe(400)
    expect((await ask('x'.repeat(10_000))).status).toBe(400)
    expect((await ask('x'.repeat(500))).status).toBe(200)
    expect(await searched('  ')).toHaveLength(120)
  })

  test('a status filter lists nothing where the search finds only runs with other statuses', async () => {
    const all = await searched('trap')
    for (const status of runStatuses) {
      const { runs: found } = await list(`limit=1000&search=trap&status=${status}`)
      expect(idsOf(found), status).toEqual(idsOf(all.filter((run) => run.status === status)))
    }
    expect((await list('search=no such text&sort=costUsd')).runs).toEqual([])
  })

  test('the counts of the status tabs are those of the search', async () => {
    const { statusCounts } = await list('search=trap&status=errored')
    const all = await searched('trap')
    expect(Object.values(statusCounts).reduce((sum, count) => sum + count)).toBe(all.length)
  })
})

describe('results and exit codes', () => {
  const notPassed = ({ outcomes: { failed, unresolved, errored } }: Run) => failed + unresolved + errored
  const isSolved = (run: Run) => run.status !== 'canceled' && run.outcomes.passed > 0 && notPassed(run) === 0
  const isUnsolved = (run: Run) =>
    run.status !== 'canceled' && (notPassed(run) > 0 || (run.status === 'errored' && run.outcomes.passed === 0))

  test.each<[string, (run: Run) => boolean]>([
    ['solved', isSolved],
    ['unsolved', isUnsolved],
    ['passed', ({ outcomes }) => outcomes.passed > 0],
    ['failed', ({ outcomes }) => outcomes.failed > 0],
    ['unresolved', ({ outcomes }) => outcomes.unresolved > 0],
    ['errored', ({ outcomes }) => outcomes.errored > 0],
    ['skipped', ({ outcomes }) => outcomes.skipped > 0],
    ['solved,errored', (run) => isSolved(run) || run.outcomes.errored > 0],
  ])('result=%s lists exactly the runs with this result', async (result, matches) => {
    const expected = idsOf(all.filter(matches))
    expect(expected.length).toBeGreaterThan(0)
    expect(expected.length).toBeLessThan(all.length)
    expect(idsOf((await list(`limit=1000&result=${result}`)).runs)).toEqual(expected)
  })

  test.each([
    '',
    'status=errored',
    'result=solved',
    'agent=hasty',
    'version_scope=latest&experiment_id=one',
    'agent=no',
  ])('count_solved counts the solved runs of all pages of %s', async (query) => {
    const { runs: all } = await list(`limit=1000&${query}`)
    const page = await list(`limit=1&count_solved=true&${query}`)
    const solved = all.filter(isSolved).length
    expect(page.solved).toEqual({ solved, runs: solved + all.filter(isUnsolved).length })
    expect(page).not.toHaveProperty('stamp')
  })

  test('a list that is not asked to count solved runs does not', async () => {
    expect(await list('limit=1')).not.toHaveProperty('solved')
  })

  test.each<[string, (code: number | undefined) => boolean]>([
    ['0', (code) => code === 0],
    ['1,137', (code) => code === 1 || code === 137],
    ['nonzero', (code) => code !== undefined && code !== 0],
    ['nonzero,0', (code) => code !== undefined],
  ])('exit_code=%s lists exactly the runs whose agent exited so', async (codes, matches) => {
    const expected = all.filter(({ agentExitCode }) => matches(agentExitCode))
    expect(idsOf((await list(`limit=1000&exit_code=${codes}`)).runs)).toEqual(idsOf(expected))
  })

  test.each<[string, (run: Run) => boolean]>([
    ['agent_mode=plan', ({ agentMode }) => agentMode === 'plan'],
    ['agent_mode=plan,default', ({ agentMode }) => agentMode !== null],
    ['without_test_aware=true', ({ testAware }) => !testAware],
    ['test_aware=false', () => true],
  ])('%s lists exactly the runs that it names', async (query, matches) => {
    expect(idsOf((await list(`limit=1000&${query}`)).runs)).toEqual(idsOf(all.filter(matches)))
    expect(all.filter(matches).length).toBeGreaterThan(0)
  })

  test.each([
    'result=won',
    'result=solved,won',
    'exit_code=x',
    'exit_code=1.5',
    'exit_code=99999999999',
    'exit_code=--1',
  ])('400 invalid_argument for %s', async (query) => {
    const { status, json } = await platform.request('GET', `/runs?${query}`)
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
  })
})
