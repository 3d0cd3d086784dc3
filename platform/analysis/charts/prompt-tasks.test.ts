import { randomUUID } from 'node:crypto'

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { ChartKind } from '#contract/chart-kinds.ts'
import { ChartPoints } from '#contract/chart-runs.ts'
import { ScatterSummary } from '#contract/charts.ts'
import { LeaderboardSummary } from '#contract/leaderboard.ts'
import { experimentVersions } from '#platform/ground/database/tables/experiments.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { addFinishedRun, addVersion } from '#platform/program/testing/finished-runs.ts'
import { openTestContext } from '#platform/program/testing/test-context.ts'
import { executeChart } from './execute-chart.ts'

const { context, close } = await openTestContext()
const { db, organization } = context
const experimentId = 'e'

/** Odd names are those of properties that every object has. */
const prompts = ['easy', 'hard', 'other', 'constructor', '__proto__', 'last', 'removed']

const addPushed = async (ordinal: number, named: Record<string, string>, ofVersion = prompts) => {
  const fingerprint = await addVersion(db, { organizationId: organization.id, experimentId, ordinal })
  const tasks = new Map(Object.entries(named))
  const definition = {
    id: experimentId,
    name: experimentId,
    agents: [],
    prompts: ofVersion.map((id) => {
      const task = tasks.get(id)
      return { id, text: 'Do it.', ...(task !== undefined && { task }) }
    }),
  }
  await db.update(experimentVersions).set({ definition }).where(eq(experimentVersions.fingerprint, fingerprint))
  for (const [place, prompt] of ofVersion.entries()) {
    const id = randomUUID()
    const facts = { id, prompt, fingerprint, ordinal, costUsd: 1 + place, variantId: `a~${prompt}` }
    const outcomes = { t: place % 2 === 0 ? ('passed' as const) : ('failed' as const) }
    await addFinishedRun(db, { organizationId: organization.id, experimentId, ...facts, outcomes })
  }
}

beforeAll(async () => {
  await addPushed(1, { easy: 'parser', hard: 'parser', removed: 'parser', constructor: 'toString' })
  await addPushed(2, {}, ['easy', 'other'])
  await addPushed(3, { hard: 'lexer' }, ['hard'])
  await projectRuns(context, organization.id)
})
afterAll(close)

const ask = async (kind: ChartKind, version: string, resultView: 'summary' | 'points' = 'summary') => {
  const { chartDataJson } = await executeChart(context, {
    resultView,
    parameters: { version, groupBy: 'agent' },
    chart: { experimentId, kind },
  })
  return JSON.parse(chartDataJson) as unknown
}

async function tasksOf(version: string) {
  const { prompts: names, tasks } = LeaderboardSummary.parse(await ask('leaderboard', version))
  return tasks && new Map(names.map((name, place) => [name, tasks[place]]))
}

test('a leaderboard has the tasks that the definition of its version names, and none where it names none', async () => {
  expect(await tasksOf('1')).toEqual(
    new Map([
      ['__proto__', null],
      ['constructor', 'toString'],
      ['easy', 'parser'],
      ['hard', 'parser'],
      ['last', null],
      ['other', null],
      ['removed', 'parser'],
    ]),
  )
  expect(await tasksOf('2')).toBeUndefined()
})

test('over all versions, the one that was pushed last and has the prompt says its task', async () => {
  const tasks = await tasksOf('all')
  expect(['easy', 'hard', 'removed'].map((prompt) => tasks?.get(prompt))).toEqual([null, 'lexer', 'parser'])
})

test('the runs that Compare reads come with the tasks of their prompts', async () => {
  const { promptTasks = [] } = ChartPoints.parse(await ask('scatter', '1', 'points'))
  expect(promptTasks.toSorted((a, b) => (a.prompt < b.prompt ? -1 : 1))).toEqual([
    { prompt: 'constructor', task: 'toString' },
    { prompt: 'easy', task: 'parser' },
    { prompt: 'hard', task: 'parser' },
    { prompt: 'removed', task: 'parser' },
  ])
  expect(ChartPoints.parse(await ask('scatter', '2', 'points')).promptTasks).toBeUndefined()
})

test('a scatterplot has as many draws as tasks, and the same means', async () => {
  const spreadOf = async (version: string) => {
    const { groups } = ScatterSummary.parse(await ask('scatter', version))
    return groups[0]?.overPrompts?.solved.costUsd
  }
  // Seven prompts of five tasks, one of which has three: 7² ÷ (3² + 4) draws.
  expect(await spreadOf('1')).toMatchObject({ n: 3, meanX: 4, meanY: expect.closeTo(4 / 7, 9) })
  expect(await spreadOf('2')).toMatchObject({ n: 2, meanX: 1.5 })
})
