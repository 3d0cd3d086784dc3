import type { Page } from '@playwright/test'

import { drawBareRows } from './bare-drawings.ts'
import { openBrowser, openWindow } from './browser.ts'
import { startProgram } from './program.ts'
import { type Measurement, median, report } from './result.ts'
import { seedResults } from './seed-results.ts'

/**
 * Measures a result table of 10,000 rows: the time to draw it after the limit changes from 100, first with the fetch
 * from the engine and then from the page's memory; to sort it; and to scroll to its end. A bare list with as many rows
 * runs alternately.
 */
const rounds = 9
const rows = 10_000
/** 100 ms on a machine where a virtualized list took 28 ms. */
const target = { atMost: 100, ratio: 3.6 }
const columns = ['id', 'agent', 'model', 'prompt', 'repeat', 'passed', 'failed', 'pass_rate', 'cost_usd', 'ended_at']
const sql = `SELECT ${columns.join(', ')} FROM runs`

const program = await startProgram(
  seedResults([{ experimentId: 'rows', groups: 50, tests: 100, hasTests: false, runs: 12_000 }]),
)
const browser = await openBrowser()
const measurements: Measurement[] = []
try {
  const context = await openWindow(browser, program)
  const [page, blank] = [await context.newPage(), await (await openWindow(browser)).newPage()]
  await page.goto(`/insights/query?experiment=rows&limit=100#sql=${encodeURIComponent(sql)}`)
  await page.getByText('First 100 rows').waitFor()
  const fetched = await show(page, rows)
  const [drawn, sorted, scrolled]: [number[], number[], number[]] = [[], [], []]
  const [bare, bareEnd]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    await page.bringToFront()
    await show(page, 100)
    drawn.push(await show(page, rows))
    sorted.push(await sort(page))
    scrolled.push(await scrollToEnd(page))
    await blank.bringToFront()
    bare.push(await drawBareRows(blank, { rows, columns: columns.length, from: 0 }))
    bareEnd.push(await drawBareRows(blank, { rows, columns: columns.length, from: rows - 34 }))
  }
  const unit = 'ms'
  measurements.push({ what: 'grid: 10,000 rows', unit, ours: median(drawn), floor: median(bare), target })
  measurements.push({ what: 'grid: 10,000 rows, fetched and drawn', unit, ours: fetched, floor: median(bare) })
  measurements.push({ what: 'grid: 10,000 rows, sorted', unit, ours: median(sorted), floor: median(bare) })
  measurements.push({
    what: 'grid: 10,000 rows, to the end',
    unit,
    ours: median(scrolled),
    floor: median(bareEnd),
    target,
  })
} finally {
  await browser.close()
  await program.stop()
}
report(measurements)

function show(page: Page, count: number) {
  return page.getByLabel('Row limit').evaluate((select, count) => {
    if (!(select instanceof HTMLSelectElement)) throw new Error('The element is not a select')
    return globalThis.benchClock.untilDrawn(
      () => {
        select.value = String(count)
        select.dispatchEvent(new Event('change', { bubbles: true }))
      },
      () => document.querySelector(`table[aria-rowcount="${count + 1}"] tbody tr[aria-rowindex]`) !== null,
    )
  }, count)
}

function sort(page: Page) {
  return page.getByRole('button', { name: 'cost_usd', exact: true }).evaluate((button) => {
    if (!(button instanceof HTMLElement)) throw new Error('The element is not a button')
    const direction = () => button.closest('th')?.getAttribute('aria-sort')
    const before = direction()
    return globalThis.benchClock.untilDrawn(
      () => button.click(),
      () => direction() !== before,
    )
  })
}

async function scrollToEnd(page: Page) {
  const table = page.getByRole('table')
  await table.evaluate((element) => element.parentElement?.scrollTo(0, 0))
  await page.waitForFunction(() => document.querySelector('tr[aria-rowindex="2"]') !== null)
  return table.evaluate((element) =>
    globalThis.benchClock.untilDrawn(
      () => element.parentElement?.scrollTo(0, 1_000_000),
      () => document.querySelector('tr[aria-rowindex="10001"]') !== null,
    ),
  )
}
