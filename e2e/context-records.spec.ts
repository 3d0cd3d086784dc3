import { expect, type Page, test } from './fixtures.ts'
import { putProduct } from './operator.ts'
import { suggestChange } from './suggest-change.ts'

const pending = (page: Page) => page.getByRole('list', { name: 'Pending suggestions' })

test('an admin accepts a suggestion in the browser, reads the history, and restores an earlier text', async ({
  page,
  colleague,
}) => {
  test.slow()
  const [id, name] = [`kept-${Date.now()}`, `Kept ${Date.now()}`]
  await putProduct(id, { name, summary: 'The first text' })
  const change = { targetId: id, baseRevision: 1, summary: 'The second text', reason: 'Why The second text' }
  const { suggestionId: suggestion } = await suggestChange(colleague, change)

  await test.step('the author sees the suggestion among those of all, without a decision to make', async () => {
    await colleague.goto(`/context/suggestions?suggestion=${suggestion}`)
    await expect(pending(colleague).getByText('Why The second text')).toBeVisible()
    await expect(colleague.getByRole('button', { name: 'Withdraw', exact: true })).toBeVisible()
    await expect(colleague.getByRole('button', { name: 'Accept', exact: true })).toHaveCount(0)
  })

  await test.step('the admin finds it on the page of the record, compares and accepts', async () => {
    await page.goto(`/context/product/${id}`)
    const list = page.getByRole('list', { name: 'Suggestions for this record' })
    await list.getByRole('button', { name: new RegExp(name) }).click()
    await expect(list.locator('del')).toHaveText('first')
    await expect(list.locator('ins')).toHaveText('second')
    await list.getByRole('textbox', { name: /^Note to / }).fill('Good catch')
    await list.getByRole('button', { name: 'Accept', exact: true }).click()
    await expect(page.getByText('The second text', { exact: true })).toBeVisible()
    await expect(list).toHaveCount(0)
    await expect(page.getByText('revision 2', { exact: true })).toBeVisible()
  })

  await test.step('the author is notified, with the note and the name of the admin', async () => {
    await colleague.goto('/notifications')
    await colleague
      .getByRole('link', { name: `Your suggestion for ${name} was accepted` })
      .first()
      .click()
    await expect(colleague.getByRole('list', { name: 'The linked suggestion' })).toContainText('Ada Admin: Good catch')
  })

  await test.step('the history says how each version came about; the admin restores the first', async () => {
    await page.getByRole('link', { name: 'History', exact: true }).click()
    const versions = page.getByRole('navigation', { name: 'Versions' })
    await expect(versions.getByRole('button')).toHaveCount(2)
    await expect(versions).toContainText('Suggestion by Max Member')
    await expect(page.getByRole('region', { name: 'Changes' }).locator('ins')).toHaveText('second')
    await versions.getByRole('button', { name: /Created/ }).click()
    await expect(page.getByRole('region', { name: 'Changes' })).toContainText('The first text')
    await page.getByRole('button', { name: 'Restore this version…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore version' }).click()
    await expect(versions.getByRole('button')).toHaveCount(3)
    await expect(versions).toContainText('Restored revision 1')
  })

  await test.step('a member reads the history, and cannot restore', async () => {
    await colleague.goto(`/context/product/${id}/history?revision=1`)
    await expect(colleague.getByRole('region', { name: 'Changes' })).toContainText('The first text')
    await expect(colleague.getByRole('button', { name: 'Restore this version…' })).toHaveCount(0)
  })

  await test.step('the audit log has the decision and the restore', async () => {
    await page.goto('/settings/audit?event=context.decide&event=context.write')
    await expect(page.getByRole('region', { name: 'events' })).toContainText('Context suggestion decided')
    await expect(page.getByRole('region', { name: 'events' })).toContainText('Context record saved')
  })
})

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
