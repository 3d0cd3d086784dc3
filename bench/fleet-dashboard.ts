import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import type { Page } from '@playwright/test'

import { openBrowser, openWindow } from './browser.ts'
import { freePort } from '#tools/free-port.mjs'
import { startProcess, waitUntilHealthy } from './program.ts'

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, exact: true })

/** What a person opens, and what each page shows when it works, also before the first run has ended and after the last. */
const pages = [
  { path: '/', content: heading('Recent experiments') },
  { path: '/experiments/fleet', content: heading('Latest requests') },
  { path: '/runs?status=running', content: heading('Runs') },
  {
    path: '/experiments/fleet/results',
    content: (page: Page) =>
      page.getByRole('columnheader', { name: /Solved/ }).or(page.getByText(/^No (results|finished runs) yet$/)),
  },
]

type Dashboard = { platformUrl: string; key: string; folder: string }

/**
 * A person in Chromium who opens one page after another until the end, through a BFF of its own. `end` returns the
 * milliseconds that each page took to show its content, and the pages that showed none or an error.
 */
export async function openDashboard({ platformUrl, key, folder }: Dashboard) {
  const port = await freePort()
  const bff = startProcess(['BFF/main.ts'], {
    DATA_DIR: join(folder, 'bff'),
    PORT: `${port}`,
    PLATFORM_URL: platformUrl,
  })
  const url = `http://127.0.0.1:${port}`
  await waitUntilHealthy(url)
  const browser = await openBrowser()
  const page = await (await openWindow(browser, { url, key })).newPage()
  const pictures = join(folder, 'pictures')
  await mkdir(pictures)
  const shown = { ms: [] as number[], failed: [] as string[] }
  const over = new AbortController()

  async function open({ path, content }: (typeof pages)[number]) {
    const from = performance.now()
    try {
      await page.goto(path)
      await content(page).first().waitFor({ timeout: 20_000 })
      shown.ms.push(performance.now() - from)
      const complaints = await page.getByRole('alert').allTextContents()
      for (const text of complaints.filter(Boolean)) shown.failed.push(`${path}: ${text}`)
    } catch (error) {
      shown.failed.push(`${path}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
      await page.screenshot({ path: join(pictures, `failed-${shown.failed.length}.png`) }).catch(() => {})
    }
  }

  const browsing = (async () => {
    while (!over.signal.aborted)
      for (const each of pages) {
        if (!over.signal.aborted) await open(each)
        await delay(1000)
      }
  })()
  return {
    picture: (name: string) => page.screenshot({ path: join(pictures, `${name}.png`) }),
    async end() {
      over.abort()
      await browsing
      return shown
    },
    async stop() {
      await browser.close()
      await bff.stop()
    },
  }
}
