import type { Page } from '@playwright/test'

import { drawBarePoints } from './bare-drawings.ts'
import { openBrowser, openWindow } from './browser.ts'
import { startProgram } from './program.ts'
import { type Measurement, median, report } from './result.ts'
import { seedResults } from './seed-results.ts'

/**
 * Measures the time until single runs appear behind a scatterplot's groups, from the click that shows them: first with
 * the fetch from the engine, then each time they are hidden and shown again. A canvas with as many squares runs
 * alternately.
 */
const rounds = 9
/** 100 ms where the bare canvas took 36 ms, and 250 ms where it took 132 ms. */
const sizes = [
  { runs: 10_000, target: { atMost: 100, ratio: 2.8 }, fetchedTarget: { atMost: 500 } },
  { runs: 50_000, target: { atMost: 250, ratio: 1.9 }, fetchedTarget: { atMost: 1000 } },
].map((size) => ({ ...size, experimentId: `points-${size.runs}`, groups: 20, tests: 100, hasTests: false }))

const program = await startProgram(seedResults(sizes))
const browser = await openBrowser()
const measurements: Measurement[] = []
try {
  const context = await openWindow(browser, program)
  const [page, blank] = [await context.newPage(), await (await openWindow(browser)).newPage()]
  for (const { runs, target, fetchedTarget, experimentId } of sizes) {
    await page.goto(`/experiments/${experimentId}/results?view=scatter`)
    const fetched = await showRuns(page)
    const [ours, bare]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      await page.bringToFront()
      await hideRuns(page)
      ours.push(await showRuns(page))
      await blank.bringToFront()
      bare.push(await drawBarePoints(blank, runs))
    }
    const [unit, floor, points] = ['ms' as const, median(bare), runs.toLocaleString('en')]
    measurements.push({ what: `scatter: ${points} points`, unit, ours: median(ours), floor, target })
    measurements.push({
      what: `scatter: ${points} points, fetched and drawn`,
      unit,
      ours: fetched,
      floor,
      target: fetchedTarget,
    })
  }
} finally {
  await browser.close()
  await program.stop()
}
report(measurements)

function runsButton(page: Page) {
  return page.getByRole('button', { name: 'Runs', exact: true })
}

function showRuns(page: Page) {
  return runsButton(page).evaluate((button) => {
    if (!(button instanceof HTMLElement)) throw new Error('The element is not a button')
    return globalThis.benchClock.untilDrawn(() => button.click(), globalThis.benchClock.hasInk)
  })
}

async function hideRuns(page: Page) {
  await runsButton(page).click()
  await page.waitForFunction(() => !globalThis.benchClock.hasInk())
}
