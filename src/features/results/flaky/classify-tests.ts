import type { HeatmapTest } from '#contract/charts.ts'
import { passRate } from '#contract/outcomes.ts'

/**
 * Flaky tests, sorted by the number of flaky variants, and tests with the same outcome in every counted run. Skipped
 * runs don't count.
 */
export function classifyTests(tests: readonly HeatmapTest[]) {
  return {
    flaky: tests.filter(({ flaky }) => flaky).toSorted((a, b) => b.flakyVariants - a.flakyVariants),
    neverPass: tests.filter((test) => passRate(test) === 0),
    alwaysPass: tests.filter((test) => passRate(test) === 1),
  }
}
