import { expect, test } from './fixtures.ts'

test('the API reference opens from the account menu, and a request tried there is sent with the session’s key', async ({
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
