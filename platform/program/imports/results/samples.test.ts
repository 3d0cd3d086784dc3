import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { findData } from '#platform/program/testing/find-data.ts'
import { readSome } from '#platform/program/testing/read-some.ts'

const harborFolder = findData('harbor')
const samplesFolder = findData('samples')
const solved = ({ tests }: { tests: readonly { outcome: string }[] }) =>
  tests.some(({ outcome }) => outcome === 'passed') &&
  tests.every(({ outcome }) => outcome === 'passed' || outcome === 'skipped')
const sum = (numbers: readonly (number | null)[]) => {
  const known = numbers.filter((number) => number !== null)
  return known.length === 0 ? null : known.reduce((total, number) => total + number, 0)
}

type Totals = {
  trials: number
  solved: number
  errored: number
  input_tokens: number | null
  output_tokens: number | null
  agent_seconds: number | null
  rewards: (number | null)[]
  ctrf: { tests: number; passed: number; failed: number }
}
type Truth = { configurations: Record<string, { total: Totals; tasks: Record<string, Totals> }> }

describe.skipIf(harborFolder === null)('published jobs of Harbor (skipped where shared/data/harbor is absent)', () => {
  test('every configuration and task has the numbers that a script computed from the files without this reader', async () => {
    const folder = harborFolder ?? ''
    const { configurations } = JSON.parse(readFileSync(join(folder, 'TRUTH.json'), 'utf8')) as Truth
    for (const [name, { total, tasks }] of Object.entries(configurations)) {
      const { runs } = await readSome([join(folder, 'A', name)])
      const measure = (chosen: typeof runs) => {
        const cases = chosen.flatMap(({ tests }) => tests).filter(({ name }) => !name.endsWith('/reward'))
        const count = (outcome: string) => cases.filter((test) => test.outcome === outcome).length
        return {
          trials: chosen.length,
          solved: chosen.filter(solved).length,
          errored: chosen.filter(({ reason }) => reason !== null).length,
          input_tokens: sum(chosen.map(({ inputTokens }) => inputTokens)),
          output_tokens: sum(chosen.map(({ outputTokens }) => outputTokens)),
          agent_seconds: sum(chosen.map(({ wallSeconds }) => wallSeconds)),
          rewards: chosen.map(({ scores }) => scores.find(({ name }) => name === 'reward')?.value ?? null),
          ctrf: { tests: cases.length, passed: count('passed'), failed: count('failed') },
        }
      }
      const close = ({ agent_seconds: seconds, ctrf, ...total }: Totals) => ({
        trials: total.trials,
        solved: total.solved,
        errored: total.errored,
        input_tokens: total.input_tokens,
        output_tokens: total.output_tokens,
        agent_seconds: seconds === null ? null : (expect.closeTo(seconds, 4) as number),
        rewards: total.rewards,
        ctrf: { tests: ctrf.tests, passed: ctrf.passed, failed: ctrf.failed },
      })
      expect(measure(runs)).toEqual(close(total))
      for (const [task, truth] of Object.entries(tasks))
        expect(
          measure(runs.filter(({ tests, prompt }) => prompt === task || tests[0]?.name.startsWith(`${task}/`))),
        ).toEqual(close(truth))
    }
  })
})

describe.skipIf(samplesFolder === null)(
  'published results of other tools (skipped where shared/data/samples is absent)',
  () => {
    const read = async (pattern: string) => readSome(globSync(join(samplesFolder ?? '', pattern)).sort())

    test('logs of Inspect have the accuracy that Inspect computed', async () => {
      const accuracy = async (pattern: string) =>
        (await read(pattern)).runs.filter(solved).length / (await read(pattern)).runs.length
      expect(await accuracy('inspect-popularity.json')).toBeCloseTo(2 / 3)
      expect(await accuracy('inspect-mmlu*')).toBe(0)
      expect(await accuracy('inspect-custom.eval')).toBe(1)
      const { runs } = await read('inspect-popularity.json')
      expect([
        sum(runs.map(({ inputTokens }) => inputTokens)),
        sum(runs.map(({ outputTokens }) => outputTokens)),
      ]).toEqual([192, 6])
    })

    test('results of promptfoo have three tests passed and one failed with a score of 0.5', async () => {
      const { runs } = await read('promptfoo*.json')
      expect(runs.map(solved).sort()).toEqual([false, true, true, true])
      expect(runs.find((run) => !solved(run))?.scores).toEqual([{ name: 'score', value: 0.5, threshold: 1 }])
    })

    test('every sample is read by the reader of its tool', async () => {
      const { runs } = await readSome([samplesFolder ?? ''])
      const titles = new Set(runs.map(({ title }) => title))
      for (const title of [
        'Harbor',
        'Inspect',
        'promptfoo',
        'SWE-bench',
        'SWE-agent',
        'mini-swe-agent',
        'OpenHands',
        'Aider',
        'HumanEval',
        'JUnit',
      ])
        expect(titles).toContain(title)
    })
  },
)
