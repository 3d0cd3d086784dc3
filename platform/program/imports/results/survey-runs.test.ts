import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { limits } from '#contract/wire/limit.ts'
import type { FoundRun } from '#platform/program/import-formats/reading/found-run.ts'
import { cellsTogether, withResultsApart } from './read-results-apart.ts'
import { chunkRuns } from './survey-runs.ts'
import { toResultRun } from './to-result-run.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-survey-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const runWith = (key: string, tests: number, output: string): FoundRun => ({
  batch: { id: 'batch', file: 'results.json' },
  key: [key],
  file: 'results.json',
  agent: 'agent',
  model: 'model',
  prompt: 'prompt',
  tests: Array.from({ length: tests }, (_, index) => ({ name: `test ${index}`, outcome: 'passed' as const, output })),
})

test('a survey of thousands of different tasks comes whole, a part at a time', async () => {
  const count = 2 * cellsTogether + 7
  const results = Array.from({ length: count }, (_, index) => ({
    trial_name: `task-${index}.1-of-1.run`,
    task_id: `task-${index}`,
    is_resolved: index % 2 === 0,
  }))
  const directory = join(folder, '20250801_agent_model', 'run')
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'results.json'), JSON.stringify({ id: 'run', results }))
  const start = {
    paths: [folder],
    shownFrom: null,
    format: null,
    scope: { organizationId: 'organization', experimentId: 'experiment' },
    stored: new Set<string>(),
    options: { models: [] },
  }
  await withResultsApart(start, async (source) => {
    const { runs, solved, prompts } = await source.survey()
    expect({ runs, solved }).toEqual({ runs: count, solved: cellsTogether + 4 })
    expect(prompts.count).toBe(count)
    const batches = await source.batches()
    expect(batches).toHaveLength(1)
    const found = batches.flatMap(({ cells }) => cells.map(({ prompt }) => prompt))
    expect(new Set(found).size).toBe(count)
    expect(found).toHaveLength(count)
    const yaml = await source.define({ experimentId: 'experiment', about: { name: 'Tasks' }, previous: null })
    expect(yaml).toMatch(/^id: experiment\nname: Tasks\n/)
  })
})

const surveyOf = async (files: Record<string, unknown>) => {
  const directory = await mkdtemp(join(folder, 'survey-'))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true })
    await writeFile(join(directory, name), JSON.stringify(content))
  }
  const scope = { organizationId: 'organization', experimentId: 'experiment' }
  const start = { paths: [directory], shownFrom: directory, format: null, scope, stored: new Set<string>() }
  return withResultsApart({ ...start, options: { models: [] } }, (source) => source.survey())
}

const trial = (name: string, reward: number | null) => ({
  trial_name: name,
  task_name: name,
  verifier_result: reward === null ? null : { rewards: { reward } },
  config: { verifier: { disable: reward === null } },
})

test('settings beside a trial are no table that somebody has to explain, although they have a list of tasks', async () => {
  const job = { job_name: 'job', tasks: [{ path: 'tasks/a', source: 'mine' }] }
  const { runs, tables, leftOut } = await surveyOf({ 'job/config.json': job, 'job/a/result.json': trial('a', 1) })
  expect({ runs, tables, leftOut }).toEqual({ runs: 1, tables: [], leftOut: [] })
  expect((await surveyOf({ 'config.json': job })).tables).toMatchObject([{ file: 'config.json', isRead: false }])
})

test('a survey counts the runs that their tool judged, apart from those without a verdict', async () => {
  const { runs, solved, totals } = await surveyOf({
    'a/result.json': trial('a', 1),
    'b/result.json': trial('b', 0),
    'c/result.json': trial('c', null),
  })
  expect({ runs, solved, judged: totals.judged }).toEqual({ runs: 3, solved: 1, judged: 2 })
})

test('a survey counts no transcript of a trial whose agent left nothing', async () => {
  const { totals } = await surveyOf({
    'a/result.json': trial('a', 1),
    'b/result.json': trial('b', 1),
    'b/agent/trajectory.json': [{ episode: 0, prompt: 'Count', response: 'Done' }],
  })
  expect(totals.transcripts).toBe(1)
})

test('more variants than an experiment can have are a problem that the survey names, and not the end of the import', async () => {
  const rows = (agents: number) =>
    Array.from({ length: 2 * limits.runsPerRequest }, (_, index) => ({
      agent: `agent ${index % agents}`,
      case: `case ${index % (limits.runsPerRequest / 2)}`,
      passed: true,
    }))
  expect((await surveyOf({ 'table.json': rows(2) })).problem).toBeNull()
  expect((await surveyOf({ 'table.json': rows(3) })).problem).toBe(
    '3 pairs of agent and model on 10,000 prompts are 30,000 variants. An experiment can have 20,000. Import the files in parts. In a table, check which column is the prompt: without one, each row is a prompt of its own',
  )
})

test('runs with many tests come a few at a time', async () => {
  const read = async function* () {
    for (let index = 0; index < 12; index += 1) yield { title: 'Tool', run: runWith(`${index}`, 3000, '') }
  }
  const sizes: number[] = []
  for await (const { runs } of chunkRuns(read())) sizes.push(runs.length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(12)
  expect(Math.max(...sizes)).toBeLessThan(6)
})

test('the first tests of a run keep their output, and all together a bounded amount', async () => {
  const { tests } = await toResultRun(runWith('long', 5000, 'x'.repeat(16_000)), 'Tool')
  expect(tests).toHaveLength(5000)
  expect(tests[0]?.stdoutTail).toBe('x'.repeat(16_000))
  expect(tests.at(-1)?.stdoutTail).toMatch(/^Left out/)
  expect(tests.reduce((sum, { stdoutTail }) => sum + stdoutTail.length, 0)).toBeLessThan(6_000_000)
})
