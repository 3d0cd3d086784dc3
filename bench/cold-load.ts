import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { type openBrowser, openWindow } from './browser.ts'

type Browser = Awaited<ReturnType<typeof openBrowser>>

/** `scripts` are file names. */
export type PageLoad = { drawnMs: number; blockedMs: number; requests: number; scripts: string[] }

/**
 * Opens an address as a returning visitor without a cache, which is the case after every new version. Resolves when the
 * chart, or an element of the selector `waitFor`, is drawn and no request is open.
 */
export async function loadCold(
  browser: Browser,
  at: { url: string; key?: string },
  path: string,
  waitFor = 'canvas',
): Promise<PageLoad> {
  const { url, key } = at
  const context = await openWindow(browser, key === undefined ? undefined : { url, key })
  if (key !== undefined)
    await context.addInitScript(() => localStorage.setItem('assay.organization', 'of an earlier visit'))
  const page = await context.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(url + path, { waitUntil: 'commit' })
  const times = await page.evaluate((at) => globalThis.benchClock.firstLook(at), waitFor)
  await page.waitForLoadState('networkidle')
  await context.close()
  const scripts = asked.map((each) => new URL(each).pathname).filter((name) => name.endsWith('.js'))
  return { ...times, requests: asked.length, scripts: scripts.map((name) => name.split('/').at(-1) ?? '') }
}

/**
 * A page of one file that fetches a heatmap's numbers and draws them on a canvas: the lower bound for the same visit.
 */
export async function serveBarePage(numbers: string) {
  const server = createServer((request, response) => {
    const isPage = request.url === '/'
    response.setHeader('content-type', isPage ? 'text/html' : 'application/json').end(isPage ? barePage : numbers)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

const barePage = `<!doctype html><link rel="icon" href="data:,"><canvas width="1100" height="700"></canvas><script type="module">
const { groups, tests, cells } = await (await fetch('/numbers')).json()
const column = new Map(groups.map(({ group }, place) => [group, place]))
const row = new Map(tests.map(({ test }, place) => [test, place]))
const canvas = document.querySelector('canvas')
const pen = canvas.getContext('2d')
const [width, height] = [canvas.width / column.size, canvas.height / row.size]
for (const { group, test, passed, failed } of cells) {
  pen.fillStyle = 'hsl(' + (120 * passed) / (passed + failed) + ' 60% 50%)'
  pen.fillRect(column.get(group) * width, row.get(test) * height, width, height)
}
</script>`
