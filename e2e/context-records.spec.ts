import { expect, test } from './fixtures.ts'

test('where the platform can’t list records, the page says so and opens a record by its id', async ({ page }) => {
  const missing = { status: 404, json: { error: 'not_found', message: 'No such route' } }
  await page.route(/\/api\/v1\/context\/records/, (route) => route.fulfill(missing))
  await page.route(/\/api\/v1\/context\/suggestions/, (route) =>
    route.request().method() === 'POST' ? route.continue() : route.fulfill({ ...missing, status: 405 }),
  )
  await page.goto('/context')
  await expect(page.getByText('This platform can’t list records.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Id of the record' }).fill('assay')
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(page.getByRole('heading', { name: 'Assay' })).toBeVisible()
  await expect(page.getByText('A dashboard for teams that run experiments with software agents.')).toBeVisible()
  await expect(page.getByText('This platform keeps no history of records.')).toBeVisible()
  await page.getByRole('link', { name: 'Suggest a change' }).click()
  await expect(page.getByRole('textbox', { name: 'Summary' })).toBeVisible()
  await page.goto('/context/suggestions')
  await expect(page.getByText('This platform lists only your own suggestions.')).toBeVisible()
  await page.goto('/context/product/no-such-record')
  await expect(page.getByText('There is no product "no-such-record" in the shared Context')).toBeVisible()
})
