import { afterAll, beforeAll, expect, test } from 'vitest'

import type { OutputMatch } from '#contract/output-matches.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { addOrganization, addVersion } from '#platform/program/testing/finished-runs.ts'
import { addPrintedRun } from '#platform/program/testing/printed-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

let ids: string[]

const experimentId = 'e'
const manyRuns = 70
const minute = (index: number) =>
  `2026-11-20T${String(10 + Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}:00.000001Z`

const platform = await openTestPlatform()
beforeAll(async () => {
  const { services, organization } = platform
  const shared = { organizationId: organization.id, fingerprint: '1'.padStart(64, 'f') }
  for (const id of [experimentId, 'many'])
    await addVersion(services.db, { organizationId: organization.id, experimentId: id, ordinal: 1 })
  const run = { ...shared, experimentId, outcomes: { one: 'failed', two: 'failed' } as const }
  ids = [
    await addPrintedRun(services, {
      ...run,
      agent: 'hasty',
      endedAt: minute(0),
      statusReason: 'The run errored: no space left on the disk',
      turns: [
        { role: 'user', text: 'Start the server.' },
        { kind: 'reasoning', text: 'The Port may be taken.' },
        { kind: 'tool_result', role: 'tool', tool: 'bash', text: `${'é'.repeat(150)} port 80 in use, PORT 80 again` },
      ],
      printed: {
        one: { stdoutTail: 'listening on port 80', stderrTail: '100% _done_ \\ it\'s port "80"' },
        two: { stdoutTail: 'listening on port 80' },
      },
    }),
    await addPrintedRun(services, {
      ...run,
      agent: 'careful',
      endedAt: minute(1),
      agentExitCode: 1,
      statusReason: 'The agent exited with code 1\nError: EADDRINUSE :::8080\nport 8080 is taken, PORT 8080',
      turns: [{ text: 'The port is free.' }],
    }),
    await addPrintedRun(services, {
      ...run,
      endedAt: minute(2),
      testAware: true,
      turns: [{ text: 'A port to test me.' }],
    }),
  ]
  for (let index = 0; index < manyRuns; index += 1)
    await addPrintedRun(services, {
      ...shared,
      experimentId: 'many',
      variantId: `v${index}`,
      endedAt: minute(Math.floor(index / 2)),
      outcomes: {},
      turns: [{ text: `needle ${index}` }, { text: 'hay' }, { text: `another Needle ${index}` }],
    })
  const elsewhere = await addOrganization(services.db)
  await addVersion(services.db, { organizationId: elsewhere, experimentId, ordinal: 1 })
  await addPrintedRun(services, {
    ...run,
    organizationId: elsewhere,
    turns: [{ text: 'port of another organization' }],
  })
  await projectRuns(services, organization.id)
  await projectRuns(services, elsewhere)
})
afterAll(() => platform.close())

const find = async (query: Record<string, string>, id = experimentId) => {
  const { status, json } = await platform.request(
    'GET',
    `/experiments/${id}/output-matches?${new URLSearchParams(query)}`,
  )
  return { status, json, matches: (json.matches ?? []) as OutputMatch[] }
}
const placesOf = (matches: readonly OutputMatch[]) =>
  matches.map(({ id, turn, testName, stream }) => [ids.indexOf(id), turn ?? `${testName} ${stream}`])

test('turns and test output that contain the text are found in any case, newest run first, in their order', async () => {
  const { matches, json } = await find({ search: 'pORt' })
  expect(placesOf(matches)).toEqual([
    [1, 1],
    [1, 'null stderr'],
    [0, 3],
    [0, 'one stdout'],
    [0, 'one stderr'],
  ])
  expect(json).toMatchObject({ searchedRuns: 2, totalRuns: 2, excludedTestAwareRuns: 1, stoppedEarly: false })
  expect(json.nextPageToken).toBeUndefined()
})

test('a match has its text as it was printed, what surrounds it, and how often it occurs', async () => {
  const [match] = (await find({ search: 'PORT 80', source: 'transcripts' })).matches
  expect(match).toMatchObject({
    before: `${'é'.repeat(99)} `,
    match: 'port 80',
    after: ' in use, PORT 80 again',
    occurrences: 2,
    role: 'tool',
    kind: 'tool_result',
    tool: 'bash',
    agent: 'hasty',
  })
})

test('the stderr of an agent that failed, and the error of a run, are found with their source', async () => {
  const { matches } = await find({ search: 'PORT 8080', source: 'endings' })
  expect(matches).toMatchObject([
    {
      source: 'endings',
      stream: 'stderr',
      turn: null,
      testName: null,
      agent: 'careful',
      match: 'port 8080',
      occurrences: 2,
    },
  ])
  expect(matches[0]?.before).toContain('EADDRINUSE')
  const errors = (await find({ search: 'no space', source: 'endings', version: 'all' })).matches
  expect(errors).toMatchObject([{ stream: null, match: 'no space', agent: 'hasty' }])
  expect((await find({ search: 'PORT 8080', source: 'transcripts,tests' })).matches).toEqual([])
})

test('pages continue exactly after the transcript of a run, with the reason of its status', async () => {
  const first = await find({ search: 'port', limit: '1', agents: 'careful' })
  const second = await find({ search: 'port', limit: '1', agents: 'careful', page_token: first.json.nextPageToken })
  expect(placesOf([...first.matches, ...second.matches])).toEqual([
    [1, 1],
    [1, 'null stderr'],
  ])
  expect(second.json.nextPageToken).toBeUndefined()
})

test('reasoning and test-aware runs are searched only on request', async () => {
  const all = await find({ search: 'port', include: 'reasoning', include_test_aware: 'true', source: 'transcripts' })
  expect(placesOf(all.matches)).toEqual([
    [2, 1],
    [1, 1],
    [0, 2],
    [0, 3],
  ])
  expect(all.json).toMatchObject({ totalRuns: 3, excludedTestAwareRuns: 0 })
})

test('filters of the scope apply, and output that tests share is one match', async () => {
  expect(placesOf((await find({ search: 'listening', source: 'tests', agents: 'hasty' })).matches)).toEqual([
    [0, 'one stdout'],
  ])
  expect((await find({ search: 'listening', agents: 'careful' })).matches).toEqual([])
})

test.each([
  ['100%', true],
  ['_done_', true],
  ['_d_ne_', false],
  [' \\ it', true],
  [`it's`, true],
  ['"80"', true],
  ['éé', true],
  ['ÉÉ', true],
  ['%%', false],
  ['.*', false],
  ["'; DROP TABLE turns; --", false],
  ['{search:String}', false],
  ['\\n', false],
])('%j is searched as it stands', async (search, isFound) => {
  const { status, matches } = await find({ search })
  expect(status).toBe(200)
  expect(matches.length > 0).toBe(isFound)
})

test('nothing of another organization is found', async () => {
  expect((await find({ search: 'another organization', version: 'all' })).matches).toEqual([])
})

test('pages continue exactly where the last one ended, even within a run, and count the runs they searched', async () => {
  const whole = (await find({ search: 'needle', limit: '200' }, 'many')).matches
  const paged: OutputMatch[] = []
  const searched: number[] = []
  let token: string | undefined
  do {
    const { json } = await find({ search: 'needle', limit: '41', ...(token && { page_token: token }) }, 'many')
    paged.push(...json.matches)
    searched.push(json.searchedRuns)
    token = json.nextPageToken
  } while (token)
  expect(paged).toHaveLength(2 * manyRuns)
  expect(new Set(paged.map(({ runUuid, turn }) => `${runUuid} ${turn}`)).size).toBe(2 * manyRuns)
  expect(paged).toEqual(whole)
  expect(searched).toEqual([20, 40, 61, manyRuns])
})

test('rows that the projection sent twice are one match', async () => {
  const { services, organization } = platform
  const [row] = await services.analytics.query(organization.id, "SELECT * FROM turns WHERE text = 'The port is free.'")
  await services.analytics.insert(organization.id, 'turns', [row ?? {}])
  expect((await find({ search: 'port is free' })).matches).toHaveLength(1)
})

test('faulty requests are refused in words', async () => {
  const { json } = await find({ search: 'needle', limit: '10' }, 'many')
  const queries: Record<string, string>[] = [
    { search: 'x' },
    { search: 'x'.repeat(201) },
    { search: 'xx', source: 'files' },
    { search: 'xx', include: 'secrets' },
    { search: 'xx', version: 'v9' },
    { search: 'other', page_token: json.nextPageToken as string },
    { search: 'needle', page_token: 'x' },
  ]
  for (const query of queries) expect((await find(query, 'many')).json).toMatchObject({ error: 'invalid_argument' })
  expect((await find({ search: 'xx' }, 'unknown')).status).toBe(404)
})
