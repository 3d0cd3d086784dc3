import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'

import { runRequests, runs } from '#platform/ground/database/tables/runs.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import { importResults } from '#platform/program/imports/results/import-results.ts'
import { describeLeftOut } from '#contract/left-out.ts'

const { context, close } = await openTestContext()
afterAll(() => close())

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-single-files-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const write = async (path: string, content: unknown) => {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
}

const trial = (task: string, time: string, isResolved: boolean) => ({
  trial_name: `${task}.1-of-1.${time}`,
  task_id: task,
  is_resolved: isResolved,
  parser_results: { works: isResolved ? 'passed' : 'failed' },
})

/** The results of one run: as many of four tasks are resolved as `resolved` says. */
const resultsOf = (time: string, resolved: number) => ({
  results: ['a', 'b', 'c', 'd'].map((task, index) => trial(task, time, index < resolved)),
  n_resolved: resolved,
  n_unresolved: 4 - resolved,
})

const importAs = (experimentId: string) => importResults(context, { paths: [folder], experimentId })

const resolvedByRun = async (experimentId: string) => {
  const rows = await context.db.select().from(runs).where(eq(runs.experimentId, experimentId))
  const byRequest = Map.groupBy(rows, ({ requestId }) => requestId)
  return [...byRequest.values()].map((group) => group.filter(({ testsPassed }) => testsPassed === 1).length).sort()
}

test('a submission of single files has one run request per file, and no trial is imported twice', async () => {
  for (const [time, resolved] of [
    ['2025-08-27__22-13-13', 3],
    ['2025-08-29__07-37-19', 2],
  ] as const)
    await write(`20250829_goose_claude-4-opus/${time}_results.json`, resultsOf(time, resolved))
  await write('20250829_goose_claude-4-sonnet/2025-08-25__12-29-38__results.json', resultsOf('12-29', 1))
  expect(await importAs('goose')).toMatchObject({ imported: 12, alreadyImported: 0, leftOut: [] })
  expect(await importAs('goose')).toMatchObject({ imported: 0, alreadyImported: 12, leftOut: [] })
  expect(await resolvedByRun('goose')).toEqual([1, 2, 3])
  const stored = await context.db.select().from(runs).where(eq(runs.experimentId, 'goose'))
  expect(new Set(stored.map(({ agent, model }) => `${agent} ${model}`))).toEqual(
    new Set(['goose claude-4-opus', 'goose claude-4-sonnet']),
  )
})

test('the metadata beside a single file is that of its run', async () => {
  await write('results/first_results.json', { results: [trial('a', '1', true)] })
  await write('results/first_run_metadata.json', { agent_name: 'goose', model_name: 'x/first' })
  await write('results/second_results.json', { results: [trial('a', '2', true)] })
  await write('results/run_metadata.json', { agent_name: 'goose', model_name: 'x/other' })
  expect(await importAs('metadata')).toMatchObject({ imported: 2, leftOut: [] })
  const requests = await context.db.select().from(runRequests).where(eq(runRequests.experimentId, 'metadata'))
  expect(requests.flatMap(({ variantIds }) => variantIds).sort()).toEqual([
    expect.stringContaining('first'),
    expect.stringContaining('other'),
  ])
})

test('everything that an import leaves out is counted and named: files, submissions and trials', async () => {
  const { results, ...totals } = resultsOf('t', 2)
  await write('20250829_goose_opus/t_results.json', { ...totals, results: [...results.slice(0, 2), { task_id: 'c' }] })
  await write('20250830_other_opus/README.md', 'Results follow.')
  await write('20250829_goose_opus/broken_results.json', '{')
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await write(`20250829_goose_opus/run-${name}.json`, '{}')
  const { imported, leftOut } = await importAs('left-out')
  expect(imported).toBe(2)
  expect(describeLeftOut(leftOut)).toEqual([
    'Left out 9 files, 2 trials:',
    `Skipped ${folder}/20250829_goose_opus/t_results.json: its totals count 4 trials, and it lists 3`,
    `Skipped ${folder}/20250829_goose_opus/t_results.json#results[2]: \`trial_name\` is required`,
    expect.stringMatching(/broken_results\.json: .*JSON/),
    expect.stringMatching(/run-a\.json, .* and 3 more: no known format of results$/),
  ])
})

test('a folder without a usable file is refused with the files that were found and their faults', async () => {
  await write('20250829_goose_opus/one_results.json', '[]')
  await expect(importAs('nothing')).rejects.toThrow(/No results found.*one_results\.json/)
})
