import { readFile } from 'node:fs/promises'

import { load } from 'js-yaml'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import {
  listTestCaptures,
  openTestRunEngine,
  submitTestRuns,
  untilEnded,
} from '#platform/program/testing/test-run-engine.ts'
import { readTestTranscript } from '#platform/program/testing/read-test-transcript.ts'
import { detectSandbox } from '#platform/engine/sandbox/detect-sandbox.ts'
import { startRunEngine } from './start-run-engine.ts'

const sandbox = await detectSandbox()
const withSandbox = test.skipIf(!sandbox.status.available)

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
beforeAll(async () => {
  bench = await openTestRunEngine()
})
afterEach(() => bench.empty())
afterAll(() => bench.close())

async function runExample(name: string) {
  const yaml = await readFile(new URL(`../../../examples/${name}/experiment.yaml`, import.meta.url), 'utf8')
  const { requestId } = await submitTestRuns(bench.db, { definition: load(yaml) })
  const engine = startRunEngine(bench.services, { sandbox, workFolder: `${bench.folder}/work`, slots: 2 })
  const runs = await untilEnded(bench.db, requestId)
  await engine.stop()
  return new Map(runs.map((run) => [run.variantId, run]))
}

async function outcomesOf(runId: string | undefined) {
  const captures = await listTestCaptures(bench.db, runId ?? '')
  return Object.fromEntries(captures.map(({ name, outcome }) => [name, outcome]))
}

withSandbox('the parse-roman example: careful passes, hasty fails, and fails less with examples', async () => {
  const runs = await runExample('parse-roman')
  expect([...runs.values()].map((run) => [run.status, run.statusReason])).toEqual(
    Array.from({ length: 4 }, () => ['completed', null]),
  )
  const always = {
    'adds letters up': 'passed',
    'refuses unknown letters': 'passed',
    'edge cases/lower case': 'skipped',
  }
  for (const prompt of ['terse', 'with-examples']) {
    expect(await outcomesOf(runs.get(`careful~${prompt}`)?.id)).toEqual({
      ...always,
      'subtracts a smaller letter': 'passed',
      'refuses IIII': 'passed',
      'edge cases/the largest numeral': 'passed',
      'edge cases/an empty text': 'passed',
      'edge cases/a subtraction that skips a step': 'passed',
    })
    expect(await outcomesOf(runs.get(`hasty~${prompt}`)?.id)).toEqual({
      ...always,
      'subtracts a smaller letter': prompt === 'terse' ? 'failed' : 'passed',
      'refuses IIII': 'failed',
      'edge cases/the largest numeral': prompt === 'terse' ? 'failed' : 'passed',
      'edge cases/an empty text': 'failed',
      'edge cases/a subtraction that skips a step': 'failed',
    })
  }
  const careful = runs.get('careful~terse')
  expect(careful).toMatchObject({
    toolCalls: 3,
    toolFailures: 1,
    inputTokens: 5200,
    totalTokens: 5840,
    costUsd: 0.0252,
  })
  const transcript =
    careful && (await readTestTranscript(bench.services, careful, { limit: 100, includeReasoning: true }))
  expect(transcript?.turns.map((turn) => turn.kind)).toContain('reasoning')
  expect(transcript?.turns.find((turn) => turn.tool === 'shell' && turn.kind === 'tool_result')?.text).toContain('IIII')
})

withSandbox(
  'the csv-summary example: runs wait for the build, then only the tokenizer parses the quoted fields correctly',
  async () => {
    const runs = await runExample('csv-summary')
    const splitter = runs.get('splitter~checked-data~total-by-region')
    const tokenizer = runs.get('tokenizer~checked-data~total-by-region')
    expect(tokenizer).toMatchObject({ status: 'completed', testsPassed: 5, testsFailed: 0 })
    expect(splitter).toMatchObject({ status: 'completed', testsPassed: 2, testsFailed: 3 })
  },
)

withSandbox(
  'the find-the-word example: one agent answers; the other times out and its tests are unresolved',
  async () => {
    const runs = await runExample('find-the-word')
    expect(runs.get('index-reader~find')).toMatchObject({ status: 'completed', testsPassed: 2, timeLimitHit: false })
    expect(runs.get('exhaustive~find')).toMatchObject({
      status: 'errored',
      statusReason: 'Time limit of 3 s reached',
      testsUnresolved: 2,
      timeBudgetSeconds: 3,
      timeLimitHit: true,
    })
  },
)
