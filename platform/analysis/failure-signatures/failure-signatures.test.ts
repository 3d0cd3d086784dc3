import { afterAll, beforeAll, expect, test } from 'vitest'

import type { FailureSignature } from '#contract/failure-signatures.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { reindex } from '#platform/analysis/projection/reindex.ts'
import { addOrganization, addVersion } from '#platform/program/testing/finished-runs.ts'
import { addPrintedRun, type PrintedRunFacts } from '#platform/program/testing/printed-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

let compositeIds: string[]

const experimentId = 'e'
const fails = (text: string) => ({ stderrTail: `checking\n${text}\n`, exitCode: 1 })

/** From the oldest to the newest. */
const runsOfExperiment: Omit<PrintedRunFacts, 'organizationId' | 'experimentId'>[] = [
  {
    agent: 'hasty',
    model: 'small',
    outcomes: { iv: 'failed', ix: 'failed' },
    printed: { iv: fails('AssertionError: expected 3 to equal 4'), ix: fails('AssertionError: expected 8 to equal 9') },
  },
  {
    agent: 'hasty',
    model: 'large',
    outcomes: { iv: 'failed', ix: 'passed' },
    printed: { iv: fails('AssertionError: expected 5 to equal 4') },
    turns: [
      {
        kind: 'tool_result',
        role: 'tool',
        tool: 'bash',
        failed: true,
        text: 'cat: /tmp/a1: No such file or directory',
      },
      { kind: 'tool_result', role: 'tool', tool: 'bash', failed: true, text: 'jq: command not found' },
      { text: 'Done.' },
    ],
  },
  { agent: 'careful', model: 'small', outcomes: { iv: 'passed', ix: 'passed' }, timeLimitHit: true },
  {
    agent: 'careful',
    model: 'small',
    outcomes: { iv: 'unresolved', ix: 'unresolved' },
    status: 'errored',
    timeLimitHit: true,
    statusReason: 'Time limit of 60 s reached',
  },
  {
    agent: 'careful',
    model: 'large',
    outcomes: {},
    status: 'errored',
    statusReason: 'No space left: 12 MB',
    infrastructureCause: 'disk_full',
  },
  { agent: 'careful', model: 'large', outcomes: { ix: 'failed' }, printed: { ix: { exitCode: 3 } } },
  { agent: 'careful', model: 'large', outcomes: { ix: 'failed' }, agentExitCode: 137 },
  {
    agent: 'hasty',
    model: 'small',
    outcomes: { iv: 'failed' },
    testAware: true,
    printed: { iv: fails('Error: peeked') },
  },
  {
    agent: 'hasty',
    model: 'small',
    outcomes: { iv: 'failed' },
    status: 'canceled',
    printed: { iv: fails('Error: x') },
  },
]

const minute = (index: number) => `2026-11-20T10:${String(index).padStart(2, '0')}:00.000001Z`

const platform = await openTestPlatform()
beforeAll(async () => {
  const { services, organization } = platform
  const shared = { organizationId: organization.id, experimentId }
  await addVersion(services.db, { ...shared, ordinal: 1 })
  compositeIds = []
  for (const [index, facts] of runsOfExperiment.entries()) {
    const variantId = `${facts.agent}~${facts.model}`
    const run = { ...shared, variantId, endedAt: minute(index), ...facts, fingerprint: '1'.padStart(64, 'f') }
    compositeIds.push(await addPrintedRun(services, run))
  }
  const elsewhere = await addOrganization(services.db)
  await addVersion(services.db, { organizationId: elsewhere, experimentId, ordinal: 1 })
  await addPrintedRun(services, {
    organizationId: elsewhere,
    experimentId,
    outcomes: { iv: 'failed' },
    printed: { iv: fails('Error: of another organization') },
  })
  await projectRuns(services, organization.id)
  await projectRuns(services, elsewhere)
})
afterAll(() => platform.close())

const list = async (query = '', id = experimentId) => {
  const { status, json } = await platform.request('GET', `/experiments/${id}/failure-signatures?${query}`)
  return { status, json, signatures: (json.signatures ?? []) as FailureSignature[] }
}
const summaryOf = (signatures: readonly FailureSignature[]) =>
  signatures.map(({ kind, signature, runs, tests }) => [kind, signature, runs, tests])

const equalMessage = 'AssertionError: expected <number> to equal <number>'

test('failures are grouped by signature, those of most runs first, and every cause of a run is one', async () => {
  const { json, signatures } = await list()
  expect(summaryOf(signatures)).toEqual([
    ['message', equalMessage, 2, 3],
    ['timeout', 'Time limit of the run reached', 1, 2],
    ['test', 'ix', 1, 1],
    ['exit_code', 'ix: exit code 3', 1, 1],
    ['agent_exit', 'Agent exited with code 137', 1, 0],
    ['infrastructure', 'No space left: <number> MB', 1, 0],
    ['tool_error', 'bash: jq: command not found', 1, 0],
  ])
  expect(json).toMatchObject({ failedRuns: 6, total: 7, groupBy: 'agent~model', excludedTestAwareRuns: 1 })
})

test('a signature has its counts by group, when it was first and last seen, and its newest example', async () => {
  const { signatures, json } = await list('group_by=agent~model')
  expect(signatures[0]).toMatchObject({
    groups: [
      { group: 'hasty~large', runs: 1, tests: 1, ofRuns: 1 },
      { group: 'hasty~small', runs: 1, tests: 2, ofRuns: 2 },
    ],
    groupCount: 4,
    message: 'AssertionError: expected 5 to equal 4',
    testNames: ['iv', 'ix'],
    testCount: 2,
    firstSeenAt: '2026-11-20T10:00:00.000001Z',
    lastSeenAt: '2026-11-20T10:01:00.000001Z',
    example: {
      runId: compositeIds[1],
      testName: 'iv',
      turn: null,
      text: 'checking\nAssertionError: expected 5 to equal 4',
    },
  })
  expect(json.groups).toContainEqual({ group: 'hasty~small', runs: 2 })
  const byAgent = await list('group_by=agent')
  expect(byAgent.signatures[0]?.groups).toEqual([{ group: 'hasty', runs: 2, tests: 3, ofRuns: 3 }])
})

test('a tool error leads to the turn of the last failed call of its run', async () => {
  const { signatures } = await list('kind=tool_error')
  expect(signatures).toMatchObject([{ example: { runId: compositeIds[1], turn: 2, testName: null } }])
})

test('filters, kinds and the limit narrow the list, and the totals say what is left out', async () => {
  const largeOnly = await list('models=large&group_by=agent')
  expect(largeOnly.signatures.map(({ kind }) => kind)).not.toContain('timeout')
  const messages = await list('kind=message,exit_code')
  expect(messages.json).toMatchObject({ total: 2, failedRuns: 3 })
  const first = await list('limit=1')
  expect(first.json).toMatchObject({ total: 7, failedRuns: 6 })
  expect(first.signatures).toHaveLength(1)
})

test('test-aware runs are left out unless they are asked for, and canceled runs never fail', async () => {
  const { signatures, json } = await list('include_test_aware=true')
  const messages = signatures.map(({ signature }) => signature)
  expect(messages).toContain('Error: peeked')
  expect(messages).not.toContain('Error: x')
  expect(json).toMatchObject({ failedRuns: 7, excludedTestAwareRuns: 0 })
})

test('nothing of another organization is in any list', async () => {
  const { text } = await platform.request('GET', `/experiments/${experimentId}/failure-signatures?version=all`)
  expect(text).not.toContain('another organization')
})

test('the runs of a signature are listed once each, newest first, page by page, each with its first failure', async () => {
  const [signature] = (await list('group_by=agent')).signatures
  const path = `/experiments/${experimentId}/failure-signatures/${signature?.id}/runs?group_by=agent`
  const whole = (await platform.request('GET', path)).json
  expect(whole).toMatchObject({ total: 2, groupBy: 'agent' })
  expect(whole.runs).toMatchObject([
    { runId: compositeIds[1], testName: 'iv', group: 'hasty' },
    { runId: compositeIds[0], testName: 'iv', group: 'hasty' },
  ])
  const first = (await platform.request('GET', `${path}&limit=1`)).json
  const second = (await platform.request('GET', `${path}&limit=1&page_token=${first.nextPageToken}`)).json
  expect([...first.runs, ...second.runs]).toEqual(whole.runs)
  expect(second.nextPageToken).toBeUndefined()
  expect((await platform.request('GET', `${path}&group_value=careful`)).json).toMatchObject({ total: 0, runs: [] })
  const elsewhere = await platform.request('GET', `${path}&models=large&page_token=${first.nextPageToken}`)
  expect(elsewhere).toMatchObject({ status: 400, json: { error: 'invalid_argument' } })
})

test('faulty requests are refused in words', async () => {
  expect((await list('', 'unknown')).status).toBe(404)
  for (const query of ['group_by=color', 'kind=bad', 'version=v9', 'limit=0', 'limit=501'])
    expect((await list(query)).json).toMatchObject({ error: 'invalid_argument' })
  const injected = await platform.request(
    'GET',
    `/experiments/${experimentId}/failure-signatures/${encodeURIComponent("x' OR 1=1 --")}/runs`,
  )
  expect(injected.json).toMatchObject({ total: 0 })
})

test('signatures are rebuilt from the database, with the same ids', async () => {
  const before = (await list()).signatures
  await reindex(platform.services, platform.organization.id)
  expect((await list()).signatures).toEqual(before)
})

test('SQL over the table failures counts the same runs', async () => {
  const sql = "SELECT kind, uniqExact(run_id) AS runs FROM failures WHERE kind = 'message' GROUP BY kind"
  const { json } = await platform.request('POST', `/experiments/${experimentId}/query`, { body: { sql } })
  expect(json.rows).toEqual([['message', 2]])
})
