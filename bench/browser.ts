import { type BrowserContext, chromium } from '@playwright/test'

import { writeHeader } from '#contract/session.ts'
import { findBrowser } from '#tools/browser.mjs'
import { installPageClock } from './page-clock.ts'

/** Chromium with the options of the end-to-end tests. */
export function openBrowser() {
  const executablePath = findBrowser()
  const args = [
    '--disable-gpu',
    '--disable-background-networking',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ]
  return chromium.launch({ ...(executablePath && { executablePath }), args })
}

type Browser = Awaited<ReturnType<typeof openBrowser>>

/** A window without a cache, with a clock in each of its pages. It is signed in when there is a key. */
export async function openWindow(browser: Browser, at?: { url: string; key: string }): Promise<BrowserContext> {
  const context = await browser.newContext({
    ...(at && { baseURL: at.url }),
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  await context.addInitScript(installPageClock)
  if (!at) return context
  const headers = { [writeHeader]: '1', origin: at.url }
  const response = await context.request.post('/session', { headers, data: { apiKey: at.key } })
  if (!response.ok()) throw new Error(`The sign-in answered ${response.status()}: ${await response.text()}`)
  return context
}
