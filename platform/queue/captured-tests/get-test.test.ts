import { afterAll, beforeAll, expect, test } from 'vitest'

import { getTest } from '#contract/tests.ts'
import { toRequestParts } from '#contract/endpoint.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'
import { recordTests } from '#platform/queue/run-queue/record-tests.ts'

const name = 'a/b % :: 日本'

let platform: TestPlatform
let run: { id: string; runUuid: string; runRequestId: string }
beforeAll(async () => {
  platform = await openTestPlatform()
  await platform.request('POST', '/experiments', { yaml: twoByTwo('captured') })
  await platform.request('POST', '/experiments/captured/runs', { body: { variantIds: ['careful~sonnet-4.5~terse'] } })
  run = (await platform.request('GET', '/runs')).json.runs[0]
  const test = { name, outcome: 'failed', exitCode: 3, durationMs: 12.5, stdoutTail: 'out', stderrTail: 'err' } as const
  const dotted = ['.', '..'].map((name) => ({ ...test, name }))
  const killed = { ...test, name: 'it works/case', exitCode: 137, stderrTail: 'AssertionError: 6 != 4\n' }
  await recordTests(platform.services.db, [{ runId: run.runUuid, tests: [test, ...dotted, killed] }])
})
afterAll(() => platform.close())

const read = (id: string, testName: string) =>
  platform.request('GET', `/runs/${encodeURIComponent(id)}/tests/${encodeURIComponent(testName)}`)

test('one captured test can be read by composite run id and name, both percent-encoded', async () => {
  const { status, json } = await read(run.id, name)
  expect(status).toBe(200)
  expect(json).toEqual({
    id: `${run.runUuid}:0`,
    runId: run.id,
    runUuid: run.runUuid,
    testName: name,
    ordinal: expect.any(Number),
    outcome: 'failed',
    exitCode: 3,
    durationMs: 12.5,
    stdoutTail: 'out',
    stderrTail: 'err',
  })
})

test('tests named "." and ".." have paths that URL parsers leave as they are', async () => {
  for (const testName of ['.', '..']) {
    const { path } = toRequestParts(getTest, { id: run.id, name: testName })
    expect(new URL(path, 'http://assay.example').pathname).toBe(path)
    const { status, json } = await platform.request('GET', path.replace(getTest.base, ''))
    expect([status, json.testName]).toEqual([200, testName])
  }
})

test('a captured test has the command of its definition, the meaning of its exit code and its assertion', async () => {
  const { json } = await read(run.id, 'it works/case')
  expect(json).toMatchObject({
    exitCodeMeaning: 'signal 9, SIGKILL, killed: out of memory or by another process',
    assertion: 'AssertionError: 6 != 4',
  })
  expect(json.command).toEqual(['true'])
  const { json: list } = await platform.request('GET', `/runs/${encodeURIComponent(run.id)}/tests`)
  expect(list.tests).toContainEqual(json)
  const { json: short } = await platform.request('GET', `/runs/${encodeURIComponent(run.id)}/tests?omit_tails=true`)
  expect(short.tests[0]).not.toHaveProperty('command')
})

test('404 not_found for an unknown captured test, and for a test of an unknown run', async () => {
  for (const [id, testName] of [
    [run.id, 'another'],
    ['nobody::123', name],
  ] as const) {
    const { status, json } = await read(id, testName)
    expect([status, json.error]).toEqual([404, 'not_found'])
  }
})

test('400 invalid_argument for a run request id in place of a composite run id', async () => {
  const { status, json } = await read(run.runRequestId, name)
  expect([status, json.error]).toEqual([400, 'invalid_argument'])
})
