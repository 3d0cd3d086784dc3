import { expect, type Page, test } from './fixtures.ts'
import { newPerson } from './new-person.ts'
import { startSingleSignOn } from './single-sign-on.ts'

test.use({ person: undefined })

let signOn: Awaited<ReturnType<typeof startSingleSignOn>>
let name = ''
test.beforeAll(async () => {
  signOn = await startSingleSignOn()
  const { email, apiKey } = await newPerson({ demo: 'member' })
  await signOn.link(email, apiKey)
  name = email.slice(0, email.indexOf('@'))
})
test.afterAll(() => signOn.stop())

const toProvider = (page: Page) => page.getByRole('button', { name: 'Sign in with Lab accounts' }).click()

/** Signs in on the provider's pages and gives consent to Assay. */
async function signInThere(page: Page, name: string) {
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

const menu = async (page: Page, item: string) => {
  await page.getByRole('button', { name: /^Account menu for/ }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('signing in at the provider opens the requested page, and signing out everywhere ends the session of the other browser', async ({
  page,
  browser,
}) => {
  const elsewhere = await (await browser.newContext()).newPage()

  for (const each of [page, elsewhere]) {
    await each.goto(`${signOn.url}/runs?status=errored#place`)
    await toProvider(each)
    await signInThere(each, name)
    await expect(each).toHaveURL(`${signOn.url}/runs?status=errored#place`)
    await expect(each.getByRole('heading', { name: 'Runs', exact: true })).toBeVisible()
    await expect(each.getByRole('navigation').first()).toBeVisible()
  }

  await test.step('signing out here leaves the other browser signed in and stays on the sign-in page', async () => {
    await menu(page, 'Sign out')
    await expect(page.getByLabel('API key')).toBeVisible()
    await page.goto(`${signOn.url}/reports`)
    await expect(page.getByLabel('API key')).toBeVisible()
    await elsewhere.getByRole('link', { name: 'Reports', exact: true }).click()
    await expect(elsewhere.getByRole('heading', { name: 'Reports', exact: true })).toBeVisible()
  })

  await test.step('the provider remembers the person: one click signs in again', async () => {
    await toProvider(page)
    await expect(page).toHaveURL(`${signOn.url}/reports`)
    await expect(page.getByRole('heading', { name: 'Reports', exact: true })).toBeVisible()
  })

  await test.step('signing out everywhere ends both sessions', async () => {
    await menu(page, 'Sign out on all devices')
    await expect(page.getByLabel('API key')).toBeVisible()
    await elsewhere.reload()
    await expect(elsewhere.getByLabel('API key')).toBeVisible()
  })
  await elsewhere.context().close()
})

test('the page says that a person has no access, and they can sign in as somebody else', async ({ page }) => {
  await page.goto(`${signOn.url}/reports`)
  await toProvider(page)
  await signInThere(page, 'nobody')
  await expect(page.getByRole('alert')).toContainText('You don’t have access yet')
  await expect(page.getByRole('button', { name: 'Sign in with Lab accounts' })).toBeVisible()
  await expect(page).toHaveURL(/from=%2Freports/)
})

test('a person who cancels at the provider reads that nobody was signed in', async ({ page }) => {
  await page.goto(signOn.url)
  await toProvider(page)
  await page.getByRole('link', { name: '[ Cancel ]' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.getByLabel('API key')).toBeVisible()
})
