// `npm run record-first-minute -- <folder>`: pictures of what a newcomer sees, from the first start of an empty data folder to
// the demo's results, in light and dark, on a screen and on a phone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { chromium } from '@playwright/test'

import { findBrowser } from './browser.mjs'
import { node, note, root } from './installed.mjs'

const [folder] = process.argv.slice(2)
if (!folder) {
  note('Usage: npm run record-first-minute -- <folder>')
  process.exit(1)
}
const pictures = resolve(folder)
const port = Number(process.env.PORT || 4400)
const url = `http://127.0.0.1:${port}`
const experiment = '/experiments/parse-roman'
const looks = [1440, 360].flatMap((width) => ['light', 'dark'].map((colorScheme) => ({ width, colorScheme })))

mkdirSync(pictures, { recursive: true })
const dataFolder = mkdtempSync(join(tmpdir(), 'assay-first-minute-'))
const startedAt = Date.now()
const program = spawn(node, ['tools/start.mjs'], {
  cwd: root,
  env: { PLATFORM_PORT: String(port + 1), ...process.env, PORT: String(port), DATA_DIR: dataFolder },
  stdio: ['ignore', 'inherit', 'inherit'],
})
const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', '--disable-gpu'] })
try {
  await recordAll()
} finally {
  await browser.close()
  program.kill('SIGTERM')
  if (program.exitCode === null) await once(program, 'exit')
  rmSync(dataFolder, { recursive: true, force: true })
}

async function recordAll() {
  const windows = await Promise.all(looks.map(openWindow))
  const picture = (name, path, isReady) => recordPage(windows, { name, path, isReady })
  await answered()
  for (const { page } of windows) await openDemo(page)
  await picture('1-first-page', '/')
  await picture('2-overview', experiment)
  await picture('3-first-results', `${experiment}/results`, '[aria-label=Answer]')
  await picture('4-heatmap', `${experiment}/results?view=heatmap`, 'canvas')
  const [{ page }] = windows
  const ask = async (path) => (await page.request.get(`/api/v1${path}`)).json()
  const failed = await firstOf(async () => (await ask('/runs?experiment_id=parse-roman&result=failed&limit=1')).runs)
  await picture('5-failed-run', `/runs/${failed.id}`, 'main h1')
  await picture('6-transcript', `/runs/${failed.id}?view=transcript`, 'main h1')
  const report = await firstOf(async () => (await ask('/reports')).reports)
  await picture('7-report', `/reports/${report.id}`, 'main h1')
  await picture('8-compare', `${experiment}/results?view=compare`, 'main h1')
  await picture('9-home', '/', 'main h1')
}

/** With the link that the program prints. It admits one browser, and the file then has the next one. */
async function openDemo(page) {
  await page.goto(`/#demo=${readFileSync(join(dataFolder, 'demo-link'), 'utf8').trim()}`)
  await page.locator('main').first().waitFor({ state: 'attached', timeout: 120_000 })
  await page.waitForFunction(() => !window.location.pathname.startsWith('/sign-in'))
}

async function openWindow({ width, colorScheme }) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height: width < 500 ? 780 : 900 },
    colorScheme,
    locale: 'en-GB',
  })
  return { page: await context.newPage(), name: `${width}-${colorScheme}` }
}

/** One picture per look, once the page shows what it is about and loads nothing more. */
async function recordPage(windows, { name, path, isReady = 'main' }) {
  for (const { page, name: look } of windows) {
    await page.goto(path)
    await page.locator(isReady).first().waitFor({ state: 'attached', timeout: 120_000 })
    // Live pages ask again and again, so they may never be idle.
    await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined)
    await page.screenshot({ path: join(pictures, `${name}-${look}.png`) })
  }
  note(`${((Date.now() - startedAt) / 1000).toFixed(0)} s: ${name}`)
}

/** Waits for the program, which builds the app first if it is new. */
async function answered() {
  while (!(await fetch(`${url}/healthz`).catch(() => undefined))?.ok) {
    if (program.exitCode !== null) throw new Error('The program did not start. Its message is above.')
    await pause(100)
  }
}

async function firstOf(list) {
  for (;;) {
    const [first] = await list()
    if (first) return first
    await pause(1000)
  }
}
