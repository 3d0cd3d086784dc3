import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

import { aptInstall } from './bubblewrap.mjs'
import { node, note, root } from './installed.mjs'

/** The headless shell first: it does the same with a seventh less work. */
const usualPlaces = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The path of this machine's browser, or undefined for Playwright's own. */
export function findBrowser() {
  const named = process.env.CHROMIUM_PATH
  if (named && !existsSync(named)) throw new Error(`CHROMIUM_PATH is ${named}, which does not exist.`)
  return named || usualPlaces.find((path) => existsSync(path))
}

export function ensureBrowser() {
  if (findBrowser()) return
  note('No Chromium found. Installing one…')
  for (const name of ['chromium-headless-shell', 'chromium']) if (aptInstall(name) && findBrowser()) return
  const cli = `${root}node_modules/@playwright/test/cli.js`
  const { status } = spawnSync(node, [cli, 'install', 'chromium'], { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error('The browser could not be installed. Install Chromium or set CHROMIUM_PATH.')
}
