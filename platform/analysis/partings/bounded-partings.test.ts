import { randomUUID } from 'node:crypto'

import { afterAll, expect, test, vi } from 'vitest'

import type { PartingList } from '#contract/partings.ts'
import type { Turn } from '#contract/transcripts.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { addVersion } from '#platform/program/testing/finished-runs.ts'
import { addPrintedRun } from '#platform/program/testing/printed-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { expectLinear } from '#tools/processor-time.ts'
import { comparePrompts } from './compare-prompts.ts'
import { compareRuns } from './compare-runs.ts'
import { comparedCalls, readCalls } from './read-calls.ts'

const call = (text: string, more: Partial<Turn> = {}): Partial<Turn> => ({
  kind: 'tool_call',
  tool: 'Bash',
  text,
  ...more,
})

async function addRun(experimentId: string, outcome: 'passed' | 'failed', turns: readonly Partial<Turn>[]) {
  const { services, organization } = platform
  const id = randomUUID()
  const shared = { organizationId: organization.id, experimentId, fingerprint: '1'.padStart(64, 'f') }
  await addPrintedRun(services, { ...shared, id, prompt: 'p', outcomes: { one: outcome }, turns })
  return id
}

const platform = await openTestPlatform()
afterAll(() => platform.close())

const open = (experimentId: string) =>
  addVersion(platform.services.db, { organizationId: platform.organization.id, experimentId, ordinal: 1 })
const project = () => projectRuns(platform.services, platform.organization.id)
const list = async (experimentId: string): Promise<PartingList> =>
  (await platform.request('GET', `/experiments/${experimentId}/partings`)).json

test('of a run with many or huge calls only the first ones are read, and it parts where they differ', async () => {
  await open('huge')
  const many = Array.from({ length: 3 * comparedCalls.ofRun }, (_, place) => call(`echo ${place}`))
  const huge = Array.from({ length: 40 }, (_, place) => call(`echo ${place} ${'x'.repeat(100_000)}`))
  const runs = [
    await addRun('huge', 'failed', many.with(100, call('rm -r /'))),
    await addRun('huge', 'passed', many),
    await addRun('huge', 'passed', huge),
  ]
  await project()
  const { analytics } = platform.services
  const text = await readCalls({ analytics, organization: platform.organization }, 'huge', runs)
  const lines = text.trimEnd().split('\n')
  const linesOf = (run?: string) => lines.filter((line) => run && line.includes(run))
  expect(runs.map((run) => linesOf(run).length)).toEqual([comparedCalls.ofRun, comparedCalls.ofRun, 20])
  expect(linesOf(runs[2]).join('').length).toBeLessThan(comparedCalls.bytesOfRun * 1.1)
  expect(await list('huge')).toMatchObject({
    comparedRuns: 1,
    partings: [{ failing: { target: 'rm' }, passing: { target: 'echo' }, examples: [{ sharedCalls: 100 }] }],
  })
})

test.each([
  ['JSON without an end', '{"command": ["a", {"b": '],
  ['deep nesting', '['.repeat(10_000)],
  ['control characters and quotes', `\u0000\u001b[31m"'\\ \u2028 \ud800`],
  ['a name like a member of every object', '{"__proto__": {"command": "constructor"}}'],
  ['nothing', ''],
])('calls with %s are compared as texts', async (name, text) => {
  const experimentId = `odd-${name.replaceAll(/\W/g, '-').toLowerCase()}`
  await open(experimentId)
  const odd = [call('ls'), call(text, { tool: text.slice(0, 500) })]
  await addRun(experimentId, 'failed', [...odd, call('rm x')])
  await addRun(experimentId, 'passed', [...odd, call('wc x')])
  await project()
  expect(await list(experimentId)).toMatchObject({
    comparedRuns: 1,
    partings: [{ failing: { target: 'rm' }, passing: { target: 'wc' }, examples: [{ sharedCalls: 2 }] }],
  })
})

test('several requests at once read the calls of a prompt once, and a later one reads them no more', async () => {
  await open('shared')
  await addRun('shared', 'failed', [call('ls'), call('rm x')])
  await addRun('shared', 'passed', [call('ls'), call('wc x')])
  await project()
  const queryText = vi.spyOn(platform.services.analytics, 'queryText')
  const readings = () => queryText.mock.calls.filter(([, , options]) => options?.isOnce).length
  const answers = await Promise.all([list('shared'), list('shared'), list('shared')])
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  await list('shared')
  expect(readings()).toBe(1)
  await addRun('shared', 'failed', [call('ls'), call('mv x y')])
  await project()
  expect(await list('shared')).toMatchObject({ comparedRuns: 2 })
  expect(readings()).toBe(2)
  queryText.mockRestore()
})

const chosenRun = (isFailing: boolean, runUuid: string = randomUUID()) => ({
  runUuid,
  runId: 'a::1',
  agent: 'a',
  group: 'a',
  fingerprint: 'f',
  promptId: 'p',
  repeat: 1,
  isFailing,
})
const nothing = { pairs: [], passingRuns: 0, prompts: 0, tooLarge: 0, timeUp: 0 }

test('without time left nothing is compared, and the failing runs are counted', async () => {
  const { services, organization } = platform
  const runs = [chosenRun(true), chosenRun(true), chosenRun(false)]
  expect(await comparePrompts({ ...services, organization }, 'any', runs, { endAt: 0 })).toEqual({
    ...nothing,
    timeUp: 2,
  })
})

test('failing runs of a prompt that needs too much processor time are counted and not compared', async () => {
  const { services, organization } = platform
  await open('slow')
  const calls = Array.from({ length: 40 }, (_, place) => call(`echo ${place} ${'x'.repeat(10_000)}`))
  const ids = await Promise.all([addRun('slow', 'failed', calls), addRun('slow', 'passed', calls)])
  await project()
  const runs = ids.map((id, place) => chosenRun(place === 0, id))
  const limits = { endAt: Infinity, processorSeconds: 0 }
  expect(await comparePrompts({ ...services, organization }, 'slow', runs, limits)).toEqual({ ...nothing, tooLarge: 1 })
})

test('comparing runs takes time that grows with the length of their arguments', async () => {
  const [failing, passing] = [randomUUID(), randomUUID()]
  const linesOf = (run: string, size: number) =>
    Array.from({ length: 100 }, (_, seq) =>
      JSON.stringify({ run, seq, tool: 'Bash', text: `${'a'.repeat(size / 100)}${seq}${run}`, summary: null }),
    )
  await expectLinear(
    (size) =>
      compareRuns([...linesOf(failing, size), ...linesOf(passing, size)].join('\n'), {
        failing: [{ run: failing, agent: 'a' }],
        passing: [{ run: passing, agent: 'a' }],
      }),
    1_600_000,
  )
})
