import { asc, eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import { LeaderboardSummary } from '#contract/leaderboard.ts'
import { toBoard } from '#statistics/leaderboard/leaderboard-rows.ts'
import { executeChart } from '#platform/analysis/charts/execute-chart.ts'
import { capturedTests } from '#platform/ground/database/tables/captured-tests.ts'
import { runRequests, runs } from '#platform/ground/database/tables/runs.ts'
import { getExperiment } from '#platform/inputs/experiments/get-experiment.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import { writtenFiles } from '#platform/program/testing/written-files.ts'
import { readTestTranscript } from '#platform/program/testing/read-test-transcript.ts'
import { describeResults } from './describe-results.ts'
import { importResults } from './import-results.ts'

const { context, close } = await openTestContext()
const { folder, write, remove } = await writtenFiles()
afterAll(async () => {
  await close()
  await remove()
})

const trial = (name: string, task: string, reward: number) => ({
  id: name,
  trial_name: name,
  task_name: task,
  config: { job_id: 'job' },
  agent_info: { name: 'solver', model_info: { name: 'small' } },
  agent_result: { n_input_tokens: 10, n_output_tokens: 2, cost_usd: 0.5 },
  verifier_result: { rewards: { reward } },
  started_at: '2026-01-01T00:00:00Z',
  finished_at: '2026-01-01T00:01:00Z',
  agent_execution: { started_at: '2026-01-01T00:00:10Z', finished_at: '2026-01-01T00:00:30Z' },
})

test('what is dropped together becomes one experiment whose leaderboard has every tool’s numbers, and a second import adds only what is new', async () => {
  await write('drop/job/a/result.json', trial('a', 'count', 1))
  await write('drop/job/a/agent/trajectory.json', {
    schema_version: 'ATIF-v1.2',
    steps: [
      { source: 'user', message: 'Count' },
      { source: 'agent', message: 'Two' },
    ],
  })
  await write('drop/job/b/result.json', trial('b', 'count', 0.5))
  await write('drop/mine.csv', 'agent,model,task,passed,cost\nother,big,count,true,1.5\n')
  await write('drop/README.md', 'Hello')
  const into = { paths: [`${folder}/drop`], experimentId: 'dropped' }
  const receipt = await importResults(context, into)
  expect(describeResults('dropped', receipt)).toEqual([
    'Read 2 runs of Harbor, 1 run of Table',
    'Imported 3 runs into dropped; 0 were already imported',
    'Left out 1 file:',
    `Skipped ${folder}/drop/README.md: no known format of results`,
  ])
  await write('drop/job/c/result.json', trial('c', 'sort', 1))
  expect(await importResults(context, into)).toMatchObject({ imported: 1, alreadyImported: 3 })
  const stored = await context.db
    .select()
    .from(runs)
    .where(eq(runs.experimentId, 'dropped'))
    .orderBy(asc(runs.variantId), asc(runs.repeat))
  expect(
    stored.map(({ variantId, repeat, costUsd, wallSeconds, totalTokens, scores }) => [
      variantId,
      repeat,
      costUsd,
      wallSeconds,
      totalTokens,
      scores[0]?.value,
    ]),
  ).toEqual([
    ['other~big~count', 1, 1.5, null, null, undefined],
    ['solver~small~count', 1, 0.5, 20, 12, 1],
    ['solver~small~count', 2, 0.5, 20, 12, 0.5],
    ['solver~small~sort', 1, 0.5, 20, 12, 1],
  ])
  expect(await context.db.$count(runRequests, eq(runRequests.experimentId, 'dropped'))).toBe(2)
  const [, first] = stored
  if (!first) throw new Error('The run does not exist')
  const transcript = await readTestTranscript(context, first, { limit: 10, includeReasoning: true })
  expect(transcript?.turns.map(({ role, text }) => `${role}: ${text}`)).toEqual(['user: Count', 'assistant: Two'])
  expect(await context.db.$count(capturedTests, eq(capturedTests.runId, first.id))).toBe(1)
  await projectRuns(context, context.organization.id)
  const { chartDataJson } = await executeChart(context, {
    chart: { experimentId: 'dropped', kind: 'leaderboard' },
    parameters: { group_by: 'agent~model', version: 'all' },
    resultView: 'summary',
  })
  const { rows } = toBoard(LeaderboardSummary.parse(JSON.parse(chartDataJson)), null)
  const solved = rows.map(({ group, counted, prompts }) => {
    const count = [...prompts.values()].reduce((sum, tally) => sum + tally.solved, 0)
    return `${group}: ${count} of ${counted}`
  })
  expect(solved.sort()).toEqual(['other~big: 1 of 1', 'solver~small: 2 of 3'])
})

test('a file in which no reader finds a run is refused with what was found, and a process that is stopped says why', async () => {
  await write('nothing/notes.txt', 'Nothing here')
  const from = (paths: readonly string[]) => importResults(context, { paths, experimentId: 'nothing' })
  await expect(from([`${folder}/nothing`])).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringContaining('no known format of results') as string,
  })
  await expect(from([`${folder}/missing`])).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringContaining('does not exist') as string,
  })
})

test('thousands of rows of a table are imported with texts of tasks that a definition has room for', async () => {
  const rows = Array.from(
    { length: 2000 },
    (_, index) => `solver,small-${index % 2},task-${index >> 1},${index % 3 === 0},"${'Explain it. '.repeat(100)}"`,
  )
  await write('large.csv', `agent,model,task,passed,instruction\n${rows.join('\n')}\n`)
  expect(await importResults(context, { paths: [`${folder}/large.csv`], experimentId: 'large' })).toMatchObject({
    imported: 2000,
    leftOut: [],
  })
  const { axes } = await getExperiment(context, { id: 'large' })
  expect(axes.prompts).toHaveLength(1000)
  const passed = await context.db.$count(runs, eq(runs.testsPassed, 1))
  expect(passed).toBeGreaterThanOrEqual(667)
})
