import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

import { compareGroups } from './compare-groups.ts'
import type { Observation } from './match-cells.ts'

/** Next to the repository, if it has been downloaded. */
const folder = fileURLToPath(new URL('../../../shared/data/terminal-bench', import.meta.url))

type Trial = { task_id: string; parser_results: Record<string, string> | null }

/** Test pass rates by task. A trial without results counts as passing nothing. */
const ratesOf = (submission: string): Observation[] =>
  globSync(join(folder, submission, '*/results.json'))
    .flatMap((file) => (JSON.parse(readFileSync(file, 'utf8')) as { results: Trial[] }).results)
    .map(({ task_id: prompt, parser_results }) => {
      const outcomes = Object.values(parser_results ?? {})
      const passed = outcomes.filter((outcome) => outcome === 'passed').length
      return { cell: prompt, prompt, value: outcomes.length === 0 ? 0 : passed / outcomes.length }
    })

describe.skipIf(!existsSync(folder))(`published results (skipped where ${folder} is absent)`, () => {
  const compare = (left: string, right: string, scope?: 'these prompts') =>
    compareGroups(ratesOf(left), ratesOf(right), { largest: 1, ...(scope && { scope }) })
  const cursor = '20250811_cursor-cli_claude-4-sonnet'
  const orchestrator = '20250902_orchestrator_claude-4-sonnet'

  test('results on 80 published tasks agree with SciPy 1.17: ttest_rel over the tasks’ means', () => {
    const pairs = [
      [cursor, orchestrator, -5.3593, -11.287, 0.5684, 0.07574],
      [cursor, '20250829_goose_claude-4-sonnet', -8.1803, -16.0881, -0.2725, 0.04279],
      ['20250923_droid_claude-4-1-opus', '20250923_droid_claude-4-sonnet', 6.3743, 1.9617, 10.7868, 0.00518],
    ] as const
    for (const [left, right, difference, low, high, p] of pairs) {
      const found = compare(left, right)
      expect(found).toMatchObject({ scope: 'prompts like these', prompts: { used: 80, leftOut: 0 } })
      expect(100 * (found.difference ?? 0)).toBeCloseTo(difference, 3)
      expect(100 * (found.interval?.low ?? 0)).toBeCloseTo(low, 3)
      expect(100 * (found.interval?.high ?? 0)).toBeCloseTo(high, 3)
      expect(found.pValue).toBeCloseTo(p, 5)
    }
  })

  test('a difference that is significant on these 80 published tasks is inconclusive on tasks like them', () => {
    const [fixed, general] = [compare(cursor, orchestrator, 'these prompts'), compare(cursor, orchestrator)]
    expect([fixed.verdict, general.verdict]).toEqual(['differs', 'unresolved'])
    expect(fixed.difference).toBeCloseTo(general.difference ?? 0, 10)
    const width = ({ interval }: typeof fixed) => (interval ? interval.high - interval.low : Number.NaN)
    expect(width(general) / width(fixed)).toBeGreaterThan(1.5)
  })
})
