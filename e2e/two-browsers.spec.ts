import { type Page, expect, test } from './fixtures.ts'

const definition = (id: string) => `id: ${id}
name: Watched by two
agents:
  - {id: hangs, command: [sleep, "600"]}
  - {id: waits, command: [sleep, "600"]}
tests: [{name: ends, command: ["true"]}]
`

test('two browsers on one request page stay in sync', async ({ page, colleague, push }) => {
  const id = `two-browsers-${Date.now()}`
  await push(definition(id))
  await page.goto(`/experiments/${id}?submit=1&repeat=4`)
  await page.getByRole('button', { name: 'Submit 8 runs' }).click()
  // The experiment's page behind the dialog says so too.
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/)
  await expect(page.getByText('0 of 8 runs', { exact: true })).toBeVisible()

  await test.step('both pages update without a reload', async () => {
    await colleague.goto(page.url())
    await colleague.getByRole('navigation', { name: 'Runs by status' }).getByRole('link', { name: 'Running' }).click()
    await expect(rows(colleague).filter({ hasText: 'Running' }).first()).toBeVisible()
    for (const each of [page, colleague]) await each.evaluate(() => Object.assign(globalThis, { neverReloaded: true }))
  })

  await test.step('one browser cancels two runs, and the other dims them in place', async () => {
    await expect(page.getByRole('link', { name: /^hangs, repeat [12]: running/ })).toHaveCount(2)
    await page.getByRole('button', { name: /^Select runs to cancel/ }).click()
    await page.getByRole('button', { name: /^hangs, repeat 1/ }).click()
    await page.getByRole('button', { name: /^hangs, repeat 2/ }).click()
    await page.getByRole('button', { name: 'Cancel 2 selected runs' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel 2 runs' }).click()

    await expect(colleague.getByRole('button', { name: /2 updated/ })).toBeVisible()
    await expect(colleague.getByText('2 of 8 runs', { exact: true })).toBeVisible()
    await expect(rows(colleague).filter({ hasText: 'Canceled' })).toHaveCount(2)
  })

  await test.step('the other browser refreshes and cancels the rest, and the first one shows it', async () => {
    await colleague.getByRole('button', { name: /2 updated/ }).click()
    await expect(rows(colleague).filter({ hasText: 'Canceled' })).toHaveCount(0)
    await colleague.getByRole('button', { name: 'Cancel all' }).click()
    await colleague.getByRole('dialog').getByRole('button', { name: 'Cancel 6 runs' }).click()
    await expect(page.getByText('8 of 8 runs', { exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: /: canceled$/ })).toHaveCount(8)
  })

  for (const each of [page, colleague]) expect(await each.evaluate(() => 'neverReloaded' in globalThis)).toBe(true)
})

/** The rows of the list, without the header. */
const rows = (page: Page) =>
  page
    .getByRole('region', { name: 'runs', exact: true })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
