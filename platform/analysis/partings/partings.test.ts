import { afterAll, expect, test } from 'vitest'

import type { CallAction, PartingList } from '#contract/partings.ts'
import type { Turn } from '#contract/transcripts.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { addOrganization, addVersion } from '#platform/program/testing/finished-runs.ts'
import { addPrintedRun, type PrintedRunFacts } from '#platform/program/testing/printed-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const passed = { solves: 'passed' } as const
const failed = { solves: 'failed' } as const

const command = (text: string): Partial<Turn> => ({
  kind: 'tool_call',
  tool: 'Bash',
  text: JSON.stringify({ command: text }),
  summary: text,
})
const edit = (path: string): Partial<Turn> => ({
  kind: 'tool_call',
  tool: 'Edit',
  text: JSON.stringify({ file_path: path, old: 'a' }),
  summary: path,
})
/** A result follows each call, so the turns of calls are 2, 4, 6 and so on. */
const turnsOf = (...calls: readonly (string | Partial<Turn>)[]): Partial<Turn>[] => [
  { role: 'user', text: 'Solve it' },
  ...calls.flatMap((call) => [
    typeof call === 'string' ? command(call) : call,
    { kind: 'tool_result', role: 'tool', tool: 'Bash', text: String(Math.random()) } as const,
  ]),
]

type Facts = Omit<PrintedRunFacts, 'organizationId' | 'experimentId'>

const minute = (index: number) =>
  `2026-11-20T${String(10 + Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}:00.000001Z`

/** Adds runs of one experiment, from the oldest to the newest, and returns their composite ids. */
async function addRuns(experimentId: string, runs: readonly Facts[]) {
  const { services, organization } = platform
  const shared = { organizationId: organization.id, experimentId }
  await addVersion(services.db, { ...shared, ordinal: 1 })
  const ids: string[] = []
  for (const [index, facts] of runs.entries()) {
    const { agent = 'hasty', model = 'small', prompt = 'p' } = facts
    const variantId = `${agent}~${model}~${prompt}`
    ids.push(
      await addPrintedRun(services, { ...shared, agent, model, prompt, variantId, endedAt: minute(index), ...facts }),
    )
  }
  await projectRuns(services, organization.id)
  return ids
}

const list = async (experimentId: string, query = '') => {
  const { status, json } = await platform.request('GET', `/experiments/${experimentId}/partings?${query}`)
  return { status, json: json as PartingList }
}

/** Composite ids of runs that tests add end in the UUID. */
const uuidOf = (id = '') => id.split('::').at(-1)

const words = (action: CallAction | null) =>
  action && [action.tool, action.target].filter((word) => word !== null).join(' ')
const partingsOf = ({ partings }: PartingList) =>
  partings.map(({ failing, passing, runs, prompts }) => [words(failing), words(passing), runs, prompts])

const fresh: Facts = { prompt: 'count', outcomes: passed, turns: turnsOf('ls', 'cat words', 'wc -w words', 'echo 3') }

/** Four prompts part in two ways, two runs of which are of prompts that have files of their own. */
const known: Facts[] = [
  fresh,
  { prompt: 'count', outcomes: passed, turns: turnsOf('pwd', 'python count.py') },
  { prompt: 'count', outcomes: failed, turns: turnsOf('ls', 'cat words', 'rm words', 'echo 3') },
  { prompt: 'sum', outcomes: passed, turns: turnsOf('ls', 'cd /app && wc -l numbers') },
  { prompt: 'sum', model: 'large', outcomes: failed, turns: turnsOf('ls', 'sudo rm -r numbers') },
  { prompt: 'fix', outcomes: passed, turns: turnsOf('ls', 'python3 -m pytest tests', edit('/app/a.py')) },
  { prompt: 'fix', outcomes: failed, turns: turnsOf('ls', edit('/app/a.py')) },
  { prompt: 'mend', outcomes: passed, turns: turnsOf('cat b.py', 'pytest -q') },
  { prompt: 'mend', outcomes: failed, turns: turnsOf('cat b.py', edit('lib/b.py'), 'ls') },
  // Ends before the call that the passing run makes, and makes the same calls.
  { prompt: 'commit', outcomes: passed, turns: turnsOf('ls', 'git -C /app commit -m done') },
  { prompt: 'commit', outcomes: failed, turns: turnsOf('ls') },
  { prompt: 'commit', outcomes: failed, turns: turnsOf('ls', 'git -C /app commit -m done') },
]

const platform = await openTestPlatform()
afterAll(() => platform.close())

test('failing runs are clustered over prompts by what they and their nearest passing runs do where they part', async () => {
  const ids = await addRuns('known', known)
  const { json } = await list('known', 'group_by=agent~model')
  expect(partingsOf(json)).toEqual(
    expect.arrayContaining([
      ['command rm', 'command wc', 2, 2],
      ['Edit *.py', 'command pytest', 2, 2],
      [null, 'command git commit', 1, 1],
      [null, null, 1, 1],
    ]),
  )
  expect(json.partings.map(({ runs }) => runs)).toEqual([2, 2, 1, 1])
  expect(json).toMatchObject({
    failedRuns: 6,
    comparedRuns: 6,
    passingRuns: 6,
    comparedPrompts: 5,
    uncompared: { withoutCalls: 0, withoutPassingRun: 0, beyondLimit: 0, tooLarge: 0, timeUp: 0 },
  })
  const removing = json.partings.find(({ failing }) => failing?.target === 'rm')
  expect(removing?.groups).toEqual([
    { group: 'hasty~large', runs: 1, ofRuns: 1 },
    { group: 'hasty~small', runs: 1, ofRuns: 5 },
  ])
  // Of four calls each, three are the same, and the third is of turn 6.
  expect(removing?.examples[0]).toEqual({
    runId: ids[2],
    runUuid: uuidOf(ids[2]),
    group: 'hasty~small',
    prompt: 'count',
    repeat: 1,
    turn: 6,
    call: 'Bash: rm words',
    passingRunId: ids[0],
    passingRunUuid: uuidOf(ids[0]),
    passingGroup: 'hasty~small',
    passingTurn: 6,
    passingCall: 'Bash: wc -w words',
    sharedCalls: 2,
    likeness: 0.75,
  })
})

test('filters narrow the runs, and one prompt names its files', async () => {
  const { json } = await list('known', 'prompt_ids=mend')
  expect(partingsOf(json)).toEqual([['Edit b.py', 'command pytest', 1, 1]])
  expect((await list('known', 'models=large')).json).toMatchObject({
    failedRuns: 1,
    comparedRuns: 0,
    uncompared: { withoutPassingRun: 1 },
    partings: [],
  })
})

test('a passing run of the same agent is preferred, and an answer counts those that are compared with another one', async () => {
  const calls = turnsOf('ls', 'make', 'make test')
  const ids = await addRuns('agents', [
    { prompt: 'two', agent: 'careful', outcomes: passed, turns: calls },
    { prompt: 'two', agent: 'hasty', outcomes: passed, turns: turnsOf('ls', 'tree') },
    { prompt: 'two', agent: 'hasty', outcomes: failed, turns: [...calls, command('rm x')] },
    { prompt: 'one', agent: 'careful', outcomes: passed, turns: calls },
    { prompt: 'one', agent: 'hasty', outcomes: failed, turns: turnsOf('ls', 'make') },
  ])
  const { json } = await list('agents')
  expect(
    json.partings.map(({ otherAgentRuns, examples: [example] }) => [otherAgentRuns, example?.passingRunId]),
  ).toEqual(
    expect.arrayContaining([
      [0, ids[1]],
      [1, ids[3]],
    ]),
  )
})

test('runs without a verdict, without calls or without a passing run are counted and not compared', async () => {
  const own = turnsOf('ls')
  const ofSubagent = { ...command('ls'), parentCallId: 'call-1' }
  await addRuns('left-out', [
    fresh,
    { prompt: 'count', outcomes: failed, turns: [{ text: 'I give up' }, ofSubagent] },
    { prompt: 'count', outcomes: failed },
    { prompt: 'count', outcomes: failed, turns: own, testAware: true },
    { prompt: 'count', outcomes: {}, status: 'errored', infrastructureCause: 'disk_full', turns: own },
    { prompt: 'count', outcomes: failed, status: 'canceled', turns: own },
    { prompt: 'hopeless', outcomes: failed, turns: own },
    { prompt: 'silent', outcomes: passed },
    { prompt: 'silent', outcomes: failed, turns: own },
    { prompt: 'easy', outcomes: passed, turns: own },
  ])
  expect((await list('left-out')).json).toMatchObject({
    failedRuns: 4,
    comparedRuns: 0,
    uncompared: { withoutCalls: 2, withoutPassingRun: 2, beyondLimit: 0 },
    partings: [],
  })
  expect((await list('left-out', 'include_test_aware=true')).json).toMatchObject({ failedRuns: 5, comparedRuns: 1 })
})

test('of many runs the newest are compared, in turn for each agent and model', async () => {
  const runs = (agent: string, count: number, facts: Facts) =>
    Array.from({ length: count }, () => ({ agent, ...facts }))
  await addRuns('many', [
    ...runs('rare', 2, { outcomes: failed, turns: turnsOf('ls', 'rare') }),
    ...runs('hasty', 12, { outcomes: failed, turns: turnsOf('ls', 'hasty') }),
    ...runs('rare', 1, { outcomes: passed, turns: turnsOf('ls', 'ends') }),
    ...runs('hasty', 12, { outcomes: passed, turns: turnsOf('ls', 'ends') }),
  ])
  const { json } = await list('many', 'group_by=agent')
  expect(json).toMatchObject({ failedRuns: 14, comparedRuns: 8, passingRuns: 8, uncompared: { beyondLimit: 6 } })
  expect(partingsOf(json)).toEqual([
    ['command hasty', 'command ends', 6, 1],
    ['command rare', 'command ends', 2, 1],
  ])
})

test('runs of two versions or of another organization are never compared with each other', async () => {
  const { services, organization } = platform
  await addRuns('versions', [fresh])
  await addVersion(services.db, { organizationId: organization.id, experimentId: 'versions', ordinal: 2 })
  const elsewhere = await addOrganization(services.db)
  await addVersion(services.db, { organizationId: elsewhere, experimentId: 'versions', ordinal: 2 })
  const second = { experimentId: 'versions', ordinal: 2, fingerprint: '2'.padStart(64, 'f'), prompt: 'count' }
  const turns = turnsOf('ls')
  await addPrintedRun(services, { ...second, organizationId: organization.id, outcomes: failed, turns })
  await addPrintedRun(services, { ...second, organizationId: elsewhere, outcomes: passed, turns })
  for (const id of [organization.id, elsewhere]) await projectRuns(services, id)
  expect((await list('versions', 'version=all')).json).toMatchObject({
    failedRuns: 1,
    comparedRuns: 0,
    uncompared: { withoutPassingRun: 1 },
  })
})

test('faulty requests are refused in words', async () => {
  expect((await list('unknown')).status).toBe(404)
  for (const query of ['group_by=color', 'version=v9'])
    expect((await list('known', query)).json).toMatchObject({ error: 'invalid_argument' })
})
