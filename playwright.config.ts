import { defineConfig, devices } from '@playwright/test'

import { findBrowser } from './tools/browser.mjs'

const executablePath = findBrowser()
const isRoot = process.getuid?.() === 0

const longest = ['member.spec.ts', 'accessibility.spec.ts', 'fetched-again.spec.ts', 'hostile-markdown.spec.ts']

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/build.ts',
  // Each worker starts a program of its own. Stories wait a third of their time.
  workers: process.env.ASSAY_URL ? 1 : Number(process.env.STORY_WORKERS ?? 3),
  // The longest stories start first, so that no worker waits at the end for one of them.
  projects: [
    { name: 'long', testMatch: longest },
    { name: 'short', testIgnore: longest },
  ],
  forbidOnly: Boolean(process.env.CI),
  timeout: 300_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // A dialog that fades in makes each story wait for it.
    contextOptions: { reducedMotion: 'reduce' },
    // A trace takes a quarter of the browser's work; `--trace on` records one.
    trace: 'off',
    launchOptions: {
      ...(executablePath && { executablePath }),
      // Chromium's own sandbox refuses to run as root, which is what containers in CI are.
      args: ['--disable-gpu', '--disable-background-networking', ...(isRoot ? ['--no-sandbox'] : [])],
    },
  },
})
