import { defineConfig, devices } from '@playwright/test'

import { findBrowser } from './tools/browser.mjs'

const executablePath = findBrowser()
const isRoot = process.getuid?.() === 0

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/build.ts',
  // Each worker starts a program of its own. On two cores, two workers were no faster than one.
  workers: process.env.ASSAY_URL ? 1 : Number(process.env.STORY_WORKERS ?? 1),
  forbidOnly: Boolean(process.env.CI),
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Pictures of what is thrown away when it passes are nearly half of the browser's work.
    trace: { mode: 'retain-on-failure', screenshots: false },
    launchOptions: {
      ...(executablePath && { executablePath }),
      // Chromium's own sandbox refuses to run as root, which is what containers in CI are.
      args: ['--disable-gpu', '--disable-background-networking', ...(isRoot ? ['--no-sandbox'] : [])],
    },
  },
})
