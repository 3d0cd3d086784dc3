import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { LeaderboardSummary } from '#contract/leaderboard.ts'
import { executeChart } from '#platform/analysis/charts/execute-chart.ts'
import { expectBoard } from '#statistics/leaderboard/expect-board.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import type { ImportReceipt } from '#platform/program/imports/results/write-batches.ts'
import { importResults } from '#platform/program/imports/results/import-results.ts'

/** Next to the repository, if it was downloaded. */
const folder = fileURLToPath(new URL('../../../../../shared/data/terminal-bench', import.meta.url))
const isHere = existsSync(folder)

type Trial = { task_id: string; is_resolved: boolean | null; parser_results: Record<string, string> | null }
type Published = { n_resolved: number; results: Trial[] }

/** Submission → the content of its results.json files, read without the importer. */
function readPublished() {
  const sums = new Map<string, { runs: number; resolved: number; results: number }>()
  for (const file of globSync(join(folder, '*/{*/,*_}results.json'))) {
    const { n_resolved, results } = JSON.parse(readFileSync(file, 'utf8')) as Published
    const [submission = ''] = relative(folder, file).split(sep)
    const [, agent, model] = submission.split('_')
    const key = `${agent} ${model?.replace('4-1', '4.1')}`
    const sum = sums.get(key) ?? { runs: 0, resolved: 0, results: 0 }
    const tests = results.reduce((count, trial) => count + Object.keys(trial.parser_results ?? {}).length, 0)
    sums.set(key, {
      runs: sum.runs + results.length,
      resolved: sum.resolved + n_resolved,
      results: sum.results + tests,
    })
  }
  return sums
}

/** Submission → task → solved trials of all, read without the importer. */
function readTallies() {
  const tallies = new Map<string, Map<string, { solved: number; runs: number }>>()
  for (const file of globSync(join(folder, '*/{*/,*_}results.json'))) {
    const [submission = ''] = relative(folder, file).split(sep)
    const [, agent, model] = submission.split('_')
    const group = `${agent}~${model?.replace('4-1', '4.1')}`
    const ofGroup = tallies.get(group) ?? new Map<string, { solved: number; runs: number }>()
    tallies.set(group, ofGroup)
    for (const { task_id, is_resolved } of (JSON.parse(readFileSync(file, 'utf8')) as Published).results) {
      const { solved, runs } = ofGroup.get(task_id) ?? { solved: 0, runs: 0 }
      ofGroup.set(task_id, { solved: solved + (is_resolved === true ? 1 : 0), runs: runs + 1 })
    }
  }
  return tallies
}

describe.skipIf(!isHere)(`published results (skipped where ${folder} is absent)`, () => {
  let context: Context
  let close: () => Promise<void>
  let receipt: ImportReceipt
  beforeAll(async () => {
    ;({ context, close } = await openTestContext())
    receipt = await importResults(context, { paths: [folder], experimentId: 'terminal-bench' })
    await projectRuns(context, context.organization.id)
  }, 600_000)
  afterAll(() => close())

  const query = (sql: string) => context.analytics.query(context.organization.id, sql)

  test('every published trial is imported as one run, and nothing is left out', () => {
    const runs = [...readPublished().values()].reduce((sum, submission) => sum + submission.runs, 0)
    expect(receipt).toMatchObject({ imported: runs, alreadyImported: 0, leftOut: [] })
  })

  test('each submission has as many fully passing runs as it has resolved trials', async () => {
    const rows = await query(
      `SELECT concat(agent, ' ', ifNull(model, '')) AS submission, toUInt32(count()) AS runs,
         toUInt32(countIf(full_pass)) AS resolved FROM runs FINAL GROUP BY submission`,
    )
    const counted = new Map(rows.map(({ submission, runs, resolved }) => [submission, { runs, resolved }]))
    const published = [...readPublished()].map(([name, { runs, resolved }]) => [name, { runs, resolved }] as const)
    expect(counted).toEqual(new Map(published))
    expect(counted.get('droid claude-4.1-opus')).toEqual({ runs: 400, resolved: 235 })
  })

  test('every number of their leaderboard is that of an independent computation from the files', async () => {
    const { chartDataJson } = await executeChart(context, {
      chart: { experimentId: 'terminal-bench', kind: 'leaderboard' },
      parameters: { group_by: 'agent~model' },
      resultView: 'summary',
    })
    const { rows, relation } = expectBoard(LeaderboardSummary.parse(JSON.parse(chartDataJson)), readTallies())
    expect(rows).toHaveLength(9)
    expect(relation.groups).toBe(9)
  })

  test('every published test result is one row, and all other rows belong to trials without published results', async () => {
    const [row] = await query(
      "SELECT toUInt32(countIf(outcome IN ('passed', 'failed'))) AS results, toUInt32(countIf(outcome = 'skipped')) AS skipped FROM tests FINAL",
    )
    const published = [...readPublished().values()].reduce((sum, submission) => sum + submission.results, 0)
    expect(row).toEqual({ results: published, skipped: 0 })
  })
})
