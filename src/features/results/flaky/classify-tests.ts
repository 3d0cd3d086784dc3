import type { HeatmapTest } from '#contract/charts.ts'
import { passRate } from '#contract/outcomes.ts'

/** Which tests are flaky, most variants first, and which came out one way in every counted run. Skipped runs do not count. */
export function classifyTests(tests: readonly HeatmapTest[]) {
  return {
    flaky: tests.filter(({ flaky }) => flaky).toSorted((a, b) => b.flakyVariants - a.flakyVariants),
    neverPass: tests.filter((test) => passRate(test) === 0),
    alwaysPass: tests.filter((test) => passRate(test) === 1),
  }
}
