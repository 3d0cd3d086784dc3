import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

import { aptInstall } from './bubblewrap.mjs'
import { node, note, root } from './installed.mjs'

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The browser of this machine; undefined leaves the choice to Playwright, which then needs its own. */
export function findBrowser() {
  const named = process.env.CHROMIUM_PATH
  if (named && !existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, which does not exist.`)
  return named || usualPlaces.find((path) => existsSync(path))
}

export function ensureBrowser() {
  if (findBrowser()) return
  note('No Chromium found; getting one…')
  if (aptInstall('chromium') && findBrowser()) return
  const cli = `${root}node_modules/@playwright/test/cli.js`
  const { status } = spawnSync(node, [cli, 'install', 'chromium'], { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error('No browser could be installed. Install Chromium or set CHROMIUM_PATH.')
}
