import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { runs } from '#platform/ground/database/tables/runs.ts'
import { getExperiment } from '#platform/inputs/experiments/get-experiment.ts'
import { pushExperiment } from '#platform/inputs/experiments/push-experiment.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import { importResults } from '#platform/program/imports/results/import-results.ts'
import { modelSpelling, toModelId } from './submission.ts'
import { toDefinition, toYaml } from '#platform/program/imports/results/to-definition.ts'

test.each([
  ['claude-4-1-opus', 'claude-4.1-opus'],
  ['claude-4.1-opus', 'claude-4.1-opus'],
  ['claude-opus-4-1-20250805', 'claude-opus-4.1-20250805'],
  ['claude-sonnet-4-20250514', 'claude-sonnet-4-20250514'],
  ['claude_3_5_sonnet', 'claude_3.5_sonnet'],
  ['gpt-4o-2024-08-06', 'gpt-4o-2024-08-06'],
  ['gpt-4o-2024-1-2', 'gpt-4o-2024-1-2'],
  ['gpt-4-1-2025-04-14', 'gpt-4.1-2025-04-14'],
  ['gpt-4-0613', 'gpt-4-0613'],
  ['llama-3-8b', 'llama-3-8b'],
  ['qwen-2-5-72b', 'qwen-2.5-72b'],
  ['qwen-3-coder-480B', 'qwen-3-coder-480B'],
  ['gemini-2.5-pro', 'gemini-2.5-pro'],
])('the model %s is imported as %s', (published, imported) => {
  expect(toModelId(published)).toBe(imported)
})

test('a known spelling is used for every spelling of the same model, and the published one if both are known', () => {
  const spell = modelSpelling(['claude-4-1-opus', 'gpt-5'])
  expect(['claude-4.1-opus', 'claude-4-1-opus', 'gpt-5', 'o3'].map(spell)).toEqual([
    'claude-4-1-opus',
    'claude-4-1-opus',
    'gpt-5',
    'o3',
  ])
  expect(modelSpelling(['claude-4-1-opus', 'claude-4.1-opus'])('claude-4.1-opus')).toBe('claude-4.1-opus')
})

const { context, close } = await openTestContext()
const folder = await mkdtemp(join(tmpdir(), 'assay-model-spellings-'))
const submissions = ['20250901_droid_claude-4-1-opus', '20250902_other_claude-4.1-opus']

beforeAll(async () => {
  for (const submission of submissions) {
    const trial = { trial_name: 'hello.1-of-1', task_id: 'hello', is_resolved: true, parser_results: { a: 'passed' } }
    await mkdir(join(folder, submission, 'run'), { recursive: true })
    const results = { id: submission, results: [{ ...trial, failure_mode: 'unset' }] }
    await writeFile(join(folder, submission, 'run', 'results.json'), JSON.stringify(results))
  }
})
afterAll(async () => {
  await close()
  await rm(folder, { recursive: true, force: true })
})

const importedModels = async (experimentId: string) => {
  const receipt = await importResults(context, { paths: [folder], experimentId })
  expect(receipt).toMatchObject({ imported: 2, leftOut: [] })
  const rows = await context.db.select().from(runs).where(eq(runs.experimentId, experimentId))
  const { axes } = await getExperiment(context, { id: experimentId })
  return { ofRuns: [...new Set(rows.map(({ model }) => model))], ofAxis: axes.models }
}

test('two spellings of one model are one value of the axis', async () => {
  expect(await importedModels('new')).toEqual({ ofRuns: ['claude-4.1-opus'], ofAxis: ['claude-4.1-opus'] })
})

test('an import that extends an experiment with the older spelling uses that spelling', async () => {
  const cell = { agent: 'droid', model: 'claude-4-1-opus', prompt: 'hello', variantId: null, runs: 1, solved: 1 }
  const batches = [{ id: 'older', file: 'older', createdAt: null, archived: null, cells: [cell] }]
  const totals = { judged: 0, tests: 0, scores: 0, transcripts: 0 }
  const prompts = [{ id: 'hello', text: 'hello' }]
  const survey = { formats: [], batches, prompts, totals, tables: [], exported: null, leftOut: [] }
  await pushExperiment(context, { experimentYaml: toYaml(toDefinition('old', survey, null)) })
  expect(await importedModels('old')).toEqual({ ofRuns: ['claude-4-1-opus'], ofAxis: ['claude-4-1-opus'] })
})
