import { expect, type Page, readDemoSecret, test } from './fixtures.ts'
import { newPerson } from './new-person.ts'

test('the app signs the last demo person in and obeys its own content security policy', async ({ page }) => {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })

  await page.goto('/')
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(complaints).toEqual([])
})

test.describe('the app on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('on a phone the navigation is hidden until it is opened, also from the keyboard', async ({ page }) => {
    await page.goto('/runs')
    const reports = page.getByRole('link', { name: 'Reports', exact: true })
    await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible()
    await expect(reports).toBeHidden()

    await page.getByRole('button', { name: 'Open navigation' }).press('Enter')
    await reports.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible()
    await expect(reports).toBeHidden()
  })

  test('on a phone the last tab of an experiment is whole when it is open', async ({ page }) => {
    await page.goto('/experiments/parse-roman/schedules')
    const tabs = page.getByRole('navigation', { name: 'Experiment', exact: true })
    await expect(tabs.getByRole('link', { name: 'Schedules' })).toBeInViewport({ ratio: 0.95 })
  })
})

test('a script in the page can read neither the session nor the key', async ({ page }) => {
  await page.goto('/')
  const seen = await page.evaluate(async () => {
    const session = await fetch('/session').then((response) => response.text())
    return document.cookie + session
  })
  expect(JSON.parse(seen)).toMatchObject({ signedIn: true })
  expect(seen).not.toMatch(/apiKey|__Host-/)
})

test('a form on another site cannot write', async ({ page, context, baseURL }) => {
  const elsewhere = await context.newPage()
  await elsewhere.goto('about:blank')
  const answer = elsewhere.waitForResponse(/\/session\/demo$/)
  await elsewhere.setContent(`<form method="post" action="${baseURL}/session/demo"><button>Win</button></form>`)
  await elsewhere.getByRole('button', { name: 'Win' }).click()
  expect((await answer).status()).toBe(403)

  await page.goto('/')
  const state = await page.evaluate(() => fetch('/session').then((response) => response.json()))
  expect(state).toMatchObject({ signedIn: true })
})

test('the printed address signs in one browser, which returns without it, and leaves no secret in the address', async ({
  browser,
  baseURL,
}) => {
  const [visitor, other] = [await browser.newContext(), await browser.newContext()]
  const [first, second] = [await visitor.newPage(), await other.newPage()]
  const printed = `${baseURL}/#demo=${await readDemoSecret()}`
  const asked: string[] = []
  first.on('request', (request) => asked.push(request.url() + JSON.stringify(request.headers())))
  for (const address of [printed, printed, `${baseURL}/runs`]) {
    await first.goto(address)
    await expect(first.getByRole('button', { name: 'Account menu for Ada Admin' })).toBeVisible()
    await expect(first).not.toHaveURL(/#/)
  }
  expect(asked.filter((request) => request.includes('#demo'))).toEqual([])

  await second.goto(printed)
  await expect(second.getByText('Open the last address that npm start printed.')).toBeVisible()
  await second.goto(`${second.url()}#demo=${await readDemoSecret()}`)
  await expect(second.getByRole('button', { name: 'Account menu for Ada Admin' })).toBeVisible()
  await Promise.all([visitor.close(), other.close()])
})

async function signInWithKey(page: Page, apiKey: string) {
  await page.getByLabel('API key').fill(apiKey)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('navigation').first()).toBeVisible()
}

async function leave(page: Page, how: 'Sign out' | 'Sign out on all devices') {
  await page.getByRole('button', { name: /^Account menu for/ }).click()
  await page.getByRole('menuitem', { name: how, exact: true }).click()
  await expect(page.getByLabel('API key')).toBeVisible()
}

test('signing out on all devices ends the session of the other browser, and signing in again returns to the same page', async ({
  page,
  browser,
}) => {
  const { apiKey } = await newPerson({ demo: 'member' })
  const elsewhere = await (await browser.newContext()).newPage()
  await page.goto('/')
  await leave(page, 'Sign out')
  await elsewhere.goto('/')
  for (const each of [page, elsewhere]) await signInWithKey(each, apiKey)
  await elsewhere.goto('/runs?status=errored#place')

  await leave(page, 'Sign out on all devices')

  // Clicks the link only if it is there: the page may have found out by itself, by a poll.
  const links = elsewhere.getByRole('link', { name: 'Reports', exact: true })
  await links.evaluateAll((found) => (found[0] as HTMLElement | undefined)?.click())
  await expect(elsewhere.getByLabel('API key')).toBeVisible()
  await elsewhere.goto('/runs?status=errored#place')
  await signInWithKey(elsewhere, apiKey)
  await expect(elsewhere).toHaveURL(/\/runs\?status=errored#place$/)
  await elsewhere.context().close()
})
