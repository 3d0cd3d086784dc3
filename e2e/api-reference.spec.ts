import { expect, test } from './fixtures.ts'

test('the account menu opens the API reference, and a request tried there uses the key of the session', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Ada Admin' }).click()
  await page.getByRole('menuitem', { name: 'API reference' }).click()
  await expect(page).toHaveTitle('API reference · Assay')

  await page.getByRole('button', { name: 'get /whoami', exact: true }).click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByRole('button', { name: 'Execute', exact: true }).click()
  await expect(page.getByText('"name": "Ada Admin"').first()).toBeVisible()
})
