import { writeHeader } from '#contract/session.ts'

import { expect, type Page, test } from './fixtures.ts'
import { assay, putProduct } from './operator.ts'

/** Submits a suggestion as the person of the page. */
async function suggest(page: Page, targetId: string, baseRevision: number, summary: string) {
  await page.goto('/context')
  const proposal = { kind: 'product', targetId, baseRevision, proposed: { summary }, reason: `Why ${summary}` }
  const response = await page.request.post('/api/v1/context/suggestions', {
    headers: { [writeHeader]: '1', origin: new URL(page.url()).origin },
    data: { action: 'submit', ...proposal, evidence: [], idempotencyKey: crypto.randomUUID() },
  })
  expect(response.ok(), await response.text()).toBe(true)
  return String((await response.json()).suggestionId)
}

const records = (page: Page) => page.getByRole('region', { name: 'context records' })
const pending = (page: Page) => page.getByRole('list', { name: 'Pending suggestions' })

test('a member finds a record by a word of its text, filters, and shares the list by its URL', async ({
  page,
  colleague,
}) => {
  const mark = Date.now()
  await putProduct(`found-${mark}`, { name: `Found ${mark}`, description: `Only 100% of needles${mark} are here` })
  await putProduct(`other-${mark}`, { name: `Other ${mark}` })
  await suggest(colleague, `found-${mark}`, 1, 'Something')
  await page.goto('/context')
  await page.getByRole('searchbox', { name: 'Search records' }).fill(`100% NEEDLES${mark}`)
  await expect(page).toHaveURL(/search=100/)
  await expect(records(page).getByRole('row')).toHaveCount(2)
  await expect(records(page)).toContainText(`Only 100% of needles${mark}`)
  await expect(records(page)).toContainText('1 pending')

  await page.goto(`/context?search=${mark}&pending=1`)
  await expect(records(page).getByRole('link', { name: `Found ${mark}` })).toBeVisible()
  await expect(records(page).getByRole('link', { name: `Other ${mark}` })).toHaveCount(0)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL(/\/context\??$/)
  await page.goto(`/context?search=nothing-has-this-${mark}`)
  await expect(page.getByText('No records match')).toBeVisible()
})

test('an admin accepts a suggestion in the browser, reads the history, and restores an earlier text', async ({
  page,
  colleague,
}) => {
  test.slow()
  const [id, name] = [`kept-${Date.now()}`, `Kept ${Date.now()}`]
  await putProduct(id, { name, summary: 'The first text' })
  const suggestion = await suggest(colleague, id, 1, 'The second text')

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

test('an admin creates a record; an id that exists is refused at its field, and members have no button', async ({
  page,
  colleague,
}) => {
  const name = `Created ${Date.now()}`
  await page.goto('/context')
  await page.getByRole('link', { name: 'New record' }).click()
  const dialog = page.getByRole('dialog', { name: 'New record' })
  await dialog.getByText('Agent', { exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('textbox', { name: 'Id' }).fill('careful')
  await dialog.getByRole('button', { name: 'Create record' }).click()
  await expect(dialog.getByText('already exists')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Id' }).fill(`created-${Date.now()}`)
  await dialog.getByRole('button', { name: 'Create record' }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
  await expect(page.getByText('by Ada Admin')).toBeVisible()
  await colleague.goto('/context')
  await expect(records(colleague).getByRole('link', { name })).toBeVisible()
  await expect(colleague.getByRole('link', { name: 'New record' })).toHaveCount(0)
})

test('a suggestion whose record changed can only be rejected; a decision that came too late keeps the note', async ({
  page,
  colleague,
}) => {
  test.slow()
  const [id, name] = [`raced-${Date.now()}`, `Raced ${Date.now()}`]
  await putProduct(id, { name, summary: 'One' })
  const outdated = await suggest(colleague, id, 1, 'Two')
  await putProduct(id, { name, summary: 'Changed meanwhile' })
  await page.goto(`/context/suggestions?suggestion=${outdated}`)
  await expect(page.getByRole('region', { name: /now at revision 2/ })).toBeVisible()
  await expect(pending(page).locator('del')).toContainText('Changed meanwhile')
  await expect(page.getByRole('button', { name: 'Accept', exact: true })).toHaveCount(0)
  await page.getByRole('textbox', { name: /^Note to / }).fill('Please compare with the new text')
  await page.getByRole('button', { name: 'Reject', exact: true }).click()
  const linked = page.getByRole('list', { name: 'The linked suggestion' })
  await expect(linked.getByRole('button', { name: `Rejected ${name}` })).toBeVisible()
  await expect(linked).toContainText('Please compare with the new text')

  const raced = await suggest(colleague, id, 2, 'Three')
  await page.goto(`/context/suggestions?show=all&suggestion=${raced}`)
  await page.getByRole('textbox', { name: /^Note to / }).fill('My careful note')
  await assay('context', 'decide', raced, '--accept')
  await page.getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('already accepted')
  await expect(page.getByRole('alert')).toContainText('My careful note')
  await expect(page.getByRole('button', { name: 'Reject', exact: true })).toHaveCount(0)
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
