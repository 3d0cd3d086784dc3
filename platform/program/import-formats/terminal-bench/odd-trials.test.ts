import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'

import { analyticsOutbox } from '#platform/ground/database/tables/analytics.ts'
import { runRequests, runs } from '#platform/ground/database/tables/runs.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'
import { importResults } from '#platform/program/imports/results/import-results.ts'

const { context, close } = await openTestContext()
const { db } = context
const folder = await mkdtemp(join(tmpdir(), 'assay-terminal-bench-'))
afterAll(async () => {
  await close()
  await rm(folder, { recursive: true, force: true })
})

const trial = (name: string, facts: object = {}) => ({
  trial_name: name,
  task_id: 'task',
  is_resolved: true,
  parser_results: { works: 'passed' },
  ...facts,
})

async function importTrials(experimentId: string, results: readonly object[]) {
  const path = join(folder, experimentId, '20250801_alpha_model-1', 'run1')
  await mkdir(path, { recursive: true })
  await writeFile(join(path, 'results.json'), JSON.stringify({ id: experimentId, results }))
  return importResults(context, { paths: [join(folder, experimentId)], experimentId })
}

const storedRuns = (experimentId: string) => db.select().from(runs).where(eq(runs.experimentId, experimentId))

test('a directory of 2,500 trials is imported as one request, and nothing twice', async () => {
  const trials = Array.from({ length: 2500 }, (_, index) => trial(`task.${index}`))
  expect(await importTrials('many', trials)).toMatchObject({ imported: 2500, alreadyImported: 0, leftOut: [] })
  expect(await importTrials('many', trials)).toMatchObject({ imported: 0, alreadyImported: 2500, leftOut: [] })
  expect(await db.$count(runs, eq(runs.experimentId, 'many'))).toBe(2500)
  expect(await db.$count(analyticsOutbox)).toBe(2500)
  expect(await db.select().from(runRequests)).toMatchObject([{ experimentId: 'many', repeat: 2500 }])
  expect(new Set((await storedRuns('many')).map((run) => run.repeat)).size).toBe(2500)
})

test('an import follows no link, so no other file of the machine becomes a transcript or a result', async () => {
  const secret = join(folder, 'secret')
  await mkdir(secret)
  await writeFile(join(secret, 'agent.log'), 'User:\nsecret')
  await writeFile(join(secret, 'results.json'), JSON.stringify({ id: 'other', results: [trial('other')] }))
  const run = join(folder, 'links', '20250801_alpha_model-1', 'run1')
  for (const name of ['linked-file', 'linked-folder']) {
    await mkdir(join(run, name), { recursive: true })
    await writeFile(join(run, name, 'results.json'), JSON.stringify(trial(name)))
  }
  await mkdir(join(run, 'linked-file/sessions'))
  await symlink(join(secret, 'agent.log'), join(run, 'linked-file/sessions/agent.log'))
  await symlink(secret, join(run, 'linked-folder/sessions'))
  await symlink(secret, join(folder, 'links/20250801_beta_model-1'))
  await symlink('.', join(run, 'loop'))
  const receipt = await importTrials('links', [trial('linked-file'), trial('linked-folder')])
  expect(receipt).toMatchObject({
    imported: 2,
    alreadyImported: 0,
    leftOut: [{ reason: 'links are not followed', count: 4 }],
  })
  expect((await storedRuns('links')).map(({ turnCount }) => turnCount)).toEqual([0, 0])
})

test('a trial with huge counts, NUL, half a surrogate pair or an impossible time is still imported', async () => {
  const receipt = await importTrials('odd', [
    trial('tokens', { total_input_tokens: 5e9, total_output_tokens: 5e9 }),
    trial('most-tokens', { total_input_tokens: Number.MAX_SAFE_INTEGER, total_output_tokens: 1 }),
    trial('names', {
      task_id: 'task\0\ud800',
      instruction: 'Say \0 and \ud800',
      failure_mode: 'odd \0',
      parser_results: { 'a\0 - b\0': 'failed', '\ud800': 'passed' },
    }),
    trial('times', { trial_started_at: '1', trial_ended_at: '+12345-01-01T00:00:00Z' }),
  ])
  expect(receipt).toMatchObject({ imported: 4, alreadyImported: 0, leftOut: [] })
  const stored = await storedRuns('odd')
  expect(
    stored.flatMap(({ inputTokens, totalTokens }) => (inputTokens === null ? [] : [{ inputTokens, totalTokens }])),
  ).toEqual([
    { inputTokens: 5e9, totalTokens: 1e10 },
    { inputTokens: Number.MAX_SAFE_INTEGER, totalTokens: null },
  ])
  const odd = stored.find((run) => run.statusReason !== null)
  expect(odd?.statusReason).toBe('Terminal-Bench failure mode "odd \ufffd"')
  const tests = await db
    .select()
    .from(capturedTests)
    .where(eq(capturedTests.runId, odd?.id ?? ''))
  expect(tests.map(({ name, stderrTail }) => [name, stderrTail])).toEqual([
    ['task\ufffd\ufffd/a\ufffd', 'b\ufffd'],
    ['task\ufffd\ufffd/\ufffd', ''],
  ])
})

test('a trial that the database refuses is listed without the driver’s message, and every other trial is imported', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  await db.execute(sql`alter table runs add constraint no_broken check (variant_id not like '%~broken')`)
  const trials = [trial('one'), trial('two', { task_id: 'broken' }), trial('three')]
  const { leftOut, ...counts } = await importTrials('refused', trials)
  expect(counts).toMatchObject({ imported: 2, alreadyImported: 0 })
  expect(leftOut).toEqual([
    {
      what: 'trial',
      file: expect.stringMatching(/run1\/results\.json#two$/),
      reason: 'could not be stored; see the log for the reason',
    },
  ])
  expect(logged.mock.calls).toEqual([[expect.stringMatching(/run1\/results\.json#two: .*no_broken/)]])
  await db.execute(sql`alter table runs drop constraint no_broken`)
  expect(await importTrials('refused', trials)).toMatchObject({ imported: 1, alreadyImported: 2, leftOut: [] })
  logged.mockRestore()
})

test('a resolved trial without published tests is solved, unless something failed', async () => {
  await importTrials('unpublished', [
    trial('resolved', { parser_results: null }),
    trial('resolved at a limit', { parser_results: null, failure_mode: 'test_timeout' }),
    trial('unresolved', { parser_results: null, is_resolved: false }),
  ])
  const stored = await storedRuns('unpublished')
  expect(stored.map(({ testsPassed, testsUnresolved }) => [testsPassed, testsUnresolved]).sort()).toEqual([
    [0, 1],
    [0, 1],
    [1, 0],
  ])
})
