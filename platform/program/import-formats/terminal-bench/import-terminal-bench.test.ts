import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { analyticsOutbox } from '#platform/ground/database/tables/analytics.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { getExperiment } from '#platform/inputs/experiments/get-experiment.ts'
import { listVersions } from '#platform/inputs/experiments/list-versions.ts'
import { pushExperiment } from '#platform/inputs/experiments/push-experiment.ts'
import { removedBlobs } from '#platform/ground/database/tables/retention.ts'
import { runRequests, runs } from '#platform/ground/database/tables/runs.ts'
import { deleteRequests } from '#platform/queue/run-queue/delete-requests.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'
import { readTestTranscript } from '#platform/program/testing/read-test-transcript.ts'
import { importResults } from '#platform/program/imports/results/import-results.ts'

const { context, close } = await openTestContext()
const folder = await mkdtemp(join(tmpdir(), 'assay-terminal-bench-'))

const write = async (path: string, content: unknown) => {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
}

const trial = (task: string, facts: object = {}) => ({
  trial_name: `${task}.1-of-1`,
  task_id: task,
  is_resolved: true,
  failure_mode: 'unset',
  parser_results: { test_a: 'passed', test_b: 'passed' },
  total_input_tokens: 0,
  total_output_tokens: 0,
  trial_started_at: '2025-08-01T10:00:00.123456+00:00',
  trial_ended_at: '2025-08-01T10:05:00+00:00',
  agent_started_at: '2025-08-01T10:01:00+00:00',
  agent_ended_at: '2025-08-01T10:03:30+00:00',
  ...facts,
})
const unpublished = (task: string, failureMode: string) =>
  trial(task, { is_resolved: null, parser_results: null, failure_mode: failureMode })

beforeAll(async () => {
  await write('20250801_alpha_model-1/run1/results.json', {
    id: 'one',
    results: [
      trial('hello', { total_input_tokens: 70, total_output_tokens: 30 }),
      trial('failed-two-ways', {
        is_resolved: false,
        parser_results: {
          'test_a - AssertionError: no': 'failed',
          '../tests/t.py - X: y': 'failed',
          'p[a - b]': 'passed',
        },
      }),
    ],
  })
  await write('20250801_alpha_model-1/run1/hello/hello.1-of-1/results.json', trial('hello', { instruction: 'Say it' }))
  await write(
    '20250801_alpha_model-1/run1/hello/hello.1-of-1/sessions/agent.log',
    'root@box:/app# alpha\r\n10%\r50%\r\u001b[32m100%\u001b[0m\r\nUser:\r\nSay it\r\nAssistant:\r\nHello\r\n',
  )
  await write('20250801_alpha_model-1/run1/hello/hello.1-of-1/sessions/tests.log', '2 passed\r\n')
  await write('20250802_beta_model-2/run1/run_metadata.json', { agent_name: 'Beta Agent', model_name: 'x/y' })
  await write('20250802_beta_model-2/run1/results.json', {
    results: [
      unpublished('hello', 'test_timeout'),
      { ...unpublished('hello', 'parse_error'), trial_name: 'hello.2-of-3' },
      { ...unpublished('hello', 'unknown_agent_error'), trial_name: 'hello.3-of-3' },
      unpublished('never-published', 'agent_timeout'),
      { ...trial('hello', { is_resolved: false }), trial_name: 'resolved-but-not' },
      { trial_name: 'without a task' },
    ],
  })
  await write('broken/20250803_gamma_model-3/run1/results.json', '{"results": [')
  await write('nameless/results.json', { results: [trial('hello')] })
  await write('lonely/hello.1-of-1/results.json', trial('hello'))
})
afterAll(async () => {
  await close()
  await rm(folder, { recursive: true, force: true })
})

const importAll = (into: Context = context) => importResults(into, { paths: [folder], experimentId: 'tb' })

const storedRuns = () =>
  context.db.select().from(runs).where(eq(runs.experimentId, 'tb')).orderBy(asc(runs.variantId), asc(runs.repeat))

const testsOfRun = async (runId: string) => {
  const rows = await context.db.select().from(capturedTests).where(eq(capturedTests.runId, runId))
  return Object.fromEntries(rows.map((row) => [row.name, row.outcome]))
}

test('after an import that dies half-way every stored trial is complete, and the next import finishes', async () => {
  let directories = 0
  const wakeProjector = () => {
    directories += 1
    throw new Error('killed')
  }
  await expect(importAll({ ...context, wakeProjector })).rejects.toThrow('killed')
  expect(directories).toBe(1)
  const before = await storedRuns()
  expect([2, 5]).toContain(before.length)
  expect((await importAll()).alreadyImported).toBe(before.length)
  expect(await storedRuns()).toHaveLength(7)
})

test('a second import adds nothing twice, and lists broken files while it imports the rest', async () => {
  const receipt = await importAll()
  expect(receipt).toMatchObject({ imported: 0, alreadyImported: 7 })
  expect(receipt.leftOut.map(({ file, reason }) => `${file.slice(folder.length + 1)}: ${reason}`).sort()).toEqual([
    expect.stringMatching(/^20250802_beta_model-2\/run1\/results.json#results\[5\]: `task_id` is required$/),
    expect.stringMatching(/^broken\/20250803_gamma_model-3\/run1\/results.json: .*JSON/),
    expect.stringContaining('lonely/hello.1-of-1/results.json: no results.json of a whole run contains this trial'),
    expect.stringMatching(/^nameless\/results.json: the agent is unknown/),
  ])
  expect(await storedRuns()).toHaveLength(7)
  expect(await context.db.$count(runRequests)).toBe(2)
  expect(await context.db.$count(analyticsOutbox)).toBe(7)
})

test('agent and model come from the submission’s folder, and repeats count the trials of a variant', async () => {
  const rows = await storedRuns()
  expect(rows.map((run) => `${run.variantId} ${run.repeat} ${run.status}`)).toEqual([
    'alpha~model-1~failed-two-ways 1 completed',
    'alpha~model-1~hello 1 completed',
    'beta~model-2~hello 1 completed',
    'beta~model-2~hello 2 completed',
    'beta~model-2~hello 3 errored',
    'beta~model-2~hello 4 completed',
    'beta~model-2~never-published 1 errored',
  ])
})

test('published measurements are imported, and missing ones are null', async () => {
  const [failed, hello] = await storedRuns()
  expect(hello).toMatchObject({ inputTokens: 70, outputTokens: 30, totalTokens: 100, wallSeconds: 150, costUsd: null })
  expect(hello).toMatchObject({ startedAt: '2025-08-01T10:00:00.123456Z', endedAt: '2025-08-01T10:05:00.000000Z' })
  expect(failed).toMatchObject({ inputTokens: null, outputTokens: null, totalTokens: null, timeLimitHit: false })
})

test('a test has one name however it failed', async () => {
  const [failed] = await storedRuns()
  expect(await testsOfRun(failed?.id ?? '')).toEqual({
    'failed-two-ways/test_a': 'failed',
    'failed-two-ways/tests/t.py': 'failed',
    'failed-two-ways/p[a - b]': 'passed',
  })
})

test('tests without published results get the outcome of the failure mode, and no unresolved trial passes in full', async () => {
  const [, , timedOut, unreadable, crashed, contradictory, unknownTask] = await storedRuns()
  expect(await testsOfRun(timedOut?.id ?? '')).toEqual({ 'hello/test_a': 'unresolved', 'hello/test_b': 'unresolved' })
  expect(await testsOfRun(unreadable?.id ?? '')).toEqual({ 'hello/test_a': 'errored', 'hello/test_b': 'errored' })
  expect(await testsOfRun(crashed?.id ?? '')).toEqual({ 'hello/test_a': 'errored', 'hello/test_b': 'errored' })
  expect(await testsOfRun(unknownTask?.id ?? '')).toEqual({ 'never-published/(all tests)': 'unresolved' })
  expect(unknownTask).toMatchObject({ timeLimitHit: true, statusReason: 'The agent timed out' })
  expect(await testsOfRun(contradictory?.id ?? '')).toEqual({
    'hello/test_a': 'passed',
    'hello/test_b': 'passed',
    'hello/(all tests)': 'unresolved',
  })
})

test('the logs of a trial become a readable conversation', async () => {
  const [, hello] = await storedRuns()
  if (!hello) throw new Error('The run does not exist')
  const transcript = await readTestTranscript(context, hello, { limit: 100, includeReasoning: false })
  expect(transcript?.turns.map(({ seq, role, text }) => [seq, role, text])).toEqual([
    [1, 'user', 'Say it'],
    [2, 'tool', 'root@box:/app# alpha\n100%'],
    [3, 'user', 'Say it'],
    [4, 'assistant', 'Hello'],
  ])
  const [captured] = await context.db.select().from(capturedTests).where(eq(capturedTests.runId, hello.id))
  expect(captured?.stdoutTail).toBe('2 passed')
})

test('imported conversations can be queried in SQL', async () => {
  await projectRuns(context, context.organization.id)
  const rows = await context.analytics.query(
    context.organization.id,
    'SELECT seq, role, text FROM turns FINAL WHERE experiment_id = {experiment:String} ORDER BY seq DESC LIMIT 1',
    { parameters: { experiment: 'tb' } },
  )
  expect(rows).toEqual([{ seq: 4, role: 'assistant', text: 'Hello' }])
})

test('the experiment says that it was imported until an agent gets a command of its own', async () => {
  const id = 'imported-flag'
  await importResults(context, { paths: [folder], experimentId: id })
  const imported = await getExperiment(context, { id })
  expect(imported.imported).toBe(true)
  const agents = imported.axes.agents.map((agent) => `{id: ${agent}, command: ["true"]}`).join(', ')
  await pushExperiment(context, { experimentYaml: `{id: ${id}, name: Runnable, agents: [${agents}]}` })
  expect((await getExperiment(context, { id })).imported).toBe(false)
  expect((await getExperiment(context, { id, version: imported.fingerprint })).imported).toBe(true)
})

test('a later import adds submissions to the experiment and changes no existing run', async () => {
  await write('20250804_delta_model-1/run1/results.json', { id: 'four', results: [trial('hello')] })
  const receipt = await importResults(context, {
    paths: [join(folder, '20250804_delta_model-1')],
    experimentId: 'tb',
  })
  expect(receipt).toMatchObject({ imported: 1, alreadyImported: 0, leftOut: [] })
  const { versions } = await listVersions(context, { id: 'tb' })
  expect(versions.map((version) => version.ordinal)).toEqual([2, 1])
  expect(await importAll()).toMatchObject({ imported: 0, alreadyImported: 8 })
  expect((await listVersions(context, { id: 'tb' })).versions).toHaveLength(2)
})

test('400 for an unreadable folder or one without results, 409 for an experiment that was not imported', async () => {
  const into = (path: string, experimentId: string) =>
    importResults(context, { paths: [join(folder, path)], experimentId })
  await expect(into('broken', 'tb')).rejects.toMatchObject({ code: 'invalid_argument' })
  await expect(into('nowhere', 'tb')).rejects.toMatchObject({ code: 'invalid_argument' })
  await pushExperiment(context, { experimentYaml: 'id: own\nname: Own\nagents: [{id: a, command: [a]}]' })
  await expect(into('.', 'own')).rejects.toMatchObject({ code: 'already_exists' })
})

test('an import of runs that retention removed takes the keys of their blobs from those to delete', async () => {
  const [, hello] = await storedRuns()
  if (!hello) throw new Error('The run does not exist')
  const { blobKeys } = await deleteRequests(context.db, [hello.requestId])
  expect(blobKeys).toHaveLength(1)
  await context.db.insert(removedBlobs).values(blobKeys.map((key) => ({ key })))
  expect(await importAll()).toMatchObject({ imported: 2 })
  expect(await context.db.$count(removedBlobs)).toBe(0)
})
