import { expect, type Page, type Request, type Route } from '@playwright/test'

/** What a page says if it could not be drawn, or a figure in it. */
const failure = /This (page|figure) could not be|Something went wrong|doesn’t match the API/

const inApi = /\/(api|admin)\/v1\//

/** Opens pages in a tab whose answers differ each time they are fetched. */
export async function watchPage(page: Page) {
  const answers = new Map<string, string>()
  const changed = new Set<string>()
  const pending = new Set<Request>()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    const [words = ''] = message.text().split('\n')
    if (message.type() === 'error' && !words.startsWith('Failed to load resource')) faults.push(words)
  })
  page.on('request', (request) => pending.add(request))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  await page.route(inApi, async (route) => {
    // The page may have left while the answer was on its way.
    const answer = await answerLater(route).catch(() => null)
    if (answer === null) return
    const request = `${route.request().url()} ${route.request().postData()}`
    if (answers.has(request) && answers.get(request) !== answer) changed.add(request)
    answers.set(request, answer)
  })

  return {
    async open(path: string) {
      answers.clear()
      faults.length = 0
      await page.goto(path)
      await page.getByRole('main').or(page.getByRole('dialog')).first().waitFor()
      // Draws the figures that nobody scrolled to, too.
      await page.evaluate(() => ['beforeprint', 'afterprint'].forEach((type) => window.dispatchEvent(new Event(type))))
      await page.waitForLoadState('networkidle')
      changed.clear()
    },

    /** Returns to the tab and waits until it has fetched its stale answers again. Returns false if none differed. */
    async fetchAgain() {
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
      const isFetched = await expect
        .poll(() => changed.size > 0 && pending.size === 0, { intervals: [50], timeout: 40_000 })
        .toBe(true)
        .then(
          () => true,
          () => false,
        )
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
      changed.clear()
      return isFetched
    },

    /** What went wrong since the page was opened. */
    async faults() {
      const shown = failure.exec(`${await page.title()} ${await page.locator('body').textContent()}`)?.[0]
      return shown ? [...faults, `The page says "${shown}"`] : [...faults]
    },
  }
}

/** The number of answers so far. */
let answered = 0

/** Answers as the program does, but with other milliseconds in every time than before. Returns the body if it is JSON. */
async function answerLater(route: Route) {
  const response = await route.fetch()
  if (!response.headers()['content-type']?.includes('json')) {
    await route.fulfill({ response })
    return null
  }
  answered += 1
  const milliseconds = `.${String(answered % 1000).padStart(3, '0')}Z`
  const body = (await response.text()).replaceAll(/(?<=\d\d:\d\d:\d\d)\.\d+Z/g, milliseconds)
  await route.fulfill({ response, body })
  return body
}
