import type { Page } from '@playwright/test'

import { drawBareCells } from './bare-drawings.ts'
import { openBrowser, openWindow } from './browser.ts'
import { startProgram } from './program.ts'
import { type Measurement, median, percentile, report } from './result.ts'
import { seedResults } from './seed-results.ts'

/**
 * Measures the time to draw the heatmap of the Results page, from the click that selects it instead of its table. A
 * canvas with as many cells runs alternately. `node bench/browser-heatmap.ts 500` measures only the sizes with 500 groups.
 */
const rounds = 9
/** 60 frames a second, and what a clock of milliseconds rounds. */
const frameMs = 17.7
const scrolledFrames = 240
/** 100 ms on a machine where the bare canvas took 36 ms. */
const target = { atMost: 100, ratio: 2.8 }
const only = Number(process.argv[2] ?? 0)
const sizes = [
  { groups: 50, tests: 100, what: '5,000 cells, 50 groups × 100 tests' },
  { groups: 100, tests: 200, what: '20,000 cells, 100 groups × 200 tests' },
  { groups: 500, tests: 100, what: '50,000 cells, 500 groups × 100 tests' },
  { groups: 50, tests: 1000, what: '50,000 cells, 50 groups × 1,000 tests' },
  { groups: 100, tests: 500, what: '50,000 cells, 100 groups × 500 tests' },
]
  .filter(({ groups }) => only === 0 || groups === only)
  .map((size) => ({ ...size, experimentId: `cells-${size.groups}-${size.tests}`, runs: size.groups * 3 }))

const program = await startProgram(seedResults(sizes))
const browser = await openBrowser()
const measurements: Measurement[] = []
try {
  const context = await openWindow(browser, program)
  const [page, blank] = [await context.newPage(), await (await openWindow(browser)).newPage()]
  for (const { what, groups, tests, experimentId } of sizes) {
    const [ours, bare]: [number[], number[]] = [[], []]
    await page.goto(`/experiments/${experimentId}/results?view=heatmap`)
    await page.waitForFunction(() => globalThis.benchClock.hasInk())
    await switchToChart(page)
    for (let round = 0; round < rounds; round += 1) {
      await page.bringToFront()
      ours.push(await switchToChart(page))
      await blank.bringToFront()
      bare.push(await drawBareCells(blank, { columns: groups, rows: tests }))
    }
    measurements.push({ what: `heatmap: ${what}`, unit: 'ms', ours: median(ours), floor: median(bare), target })
    await blank.bringToFront()
    const idle = await frameTimes(blank)
    await page.bringToFront()
    const scrolled = await frameTimes(page, true)
    measurements.push({
      what: `heatmap: a frame while scrolling ${what}, p95`,
      unit: 'ms',
      ours: percentile(scrolled, 0.95),
      floor: percentile(idle, 0.95),
      target: { atMost: frameMs, ratio: 1.5 },
    })
  }
} finally {
  await browser.close()
  await program.stop()
}
report(measurements)

/** The time of each frame, while the region around the heatmap moves down and to the right in every frame. */
function frameTimes(page: Page, scrolls = false) {
  return page.evaluate(
    ({ frames, scrolls }) =>
      new Promise<number[]>((resolve) => {
        const canvas = [...document.querySelectorAll('canvas')].find(({ height }) => height > 100)
        const region = scrolls ? canvas?.closest('div[style]')?.parentElement : null
        const times: number[] = []
        let before = 0
        const next = (now: number) => {
          if (before > 0) times.push(now - before)
          before = now
          region?.scrollBy(3, 40)
          if (times.length < frames) requestAnimationFrame(next)
          else resolve(times)
        }
        requestAnimationFrame(next)
      }),
    { frames: scrolledFrames, scrolls },
  )
}

async function switchToChart(page: Page) {
  const shownAs = page.getByRole('radiogroup', { name: 'Show as' })
  await shownAs.getByText('Table', { exact: true }).click()
  await page.getByRole('table').first().waitFor()
  return shownAs.getByRole('radio', { name: 'Chart' }).evaluate((choice) => {
    if (!(choice instanceof HTMLElement)) throw new Error('The element is not an option')
    return globalThis.benchClock.untilDrawn(() => choice.click(), globalThis.benchClock.hasInk)
  })
}
