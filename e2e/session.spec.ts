import { expect, test } from './fixtures.ts'

test('the app starts signed in, within its own content security policy', async ({ page }) => {
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

test('a script in the page can read neither the session nor the key', async ({ page }) => {
  await page.goto('/')
  const seen = await page.evaluate(async () => {
    const session = await fetch('/session').then((response) => response.text())
    return document.cookie + session
  })
  expect(JSON.parse(seen)).toMatchObject({ signedIn: true })
  expect(seen).not.toMatch(/apiKey|__Host-/)
})

test('a form on another page cannot write', async ({ page, context, baseURL }) => {
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
