import { expect, type Page, test } from './fixtures.ts'

const definition = (id: string) => `id: ${id}
name: Kept ${id}
agents: [{ id: good, command: ["true"] }]
tests: [{ name: ends, command: ["true"] }]
`

async function writeSql(page: Page, sql: string) {
  await page.getByRole('textbox', { name: 'SQL' }).click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(sql)
}

const saveDialog = (page: Page) => page.getByRole('dialog', { name: 'Save as insight' })

async function name(page: Page, heading: string, slug: string) {
  await saveDialog(page).getByRole('textbox', { name: 'Title' }).fill(heading)
  await saveDialog(page).getByRole('textbox', { name: 'Slug' }).fill(slug)
}

test('an organization-wide query runs and is saved; an existing slug is refused, then overwritten, and shows its new scope', async ({
  page,
  colleague,
  push,
}) => {
  const id = `kept-${Date.now()}`
  await push(definition(id))

  await test.step('save it organization-wide; test-aware runs count when they are included', async () => {
    await page.goto('/insights/query')
    await page.getByRole('button', { name: 'query the whole organization' }).click()
    await writeSql(page, 'SELECT 11 AS answer')
    await page.reload()
    await expect(page.getByRole('textbox', { name: 'SQL' })).toHaveText('SELECT 11 AS answer')
    await page.getByRole('checkbox', { name: 'Include test-aware runs' }).click()
    await page.getByRole('button', { name: /^Run/ }).click()
    await expect(page.getByRole('row', { name: '11', exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Save as insight' }).click()
    await name(page, 'First question', id)
    await saveDialog(page).getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { name: 'First question' })).toBeVisible()
    await expect(page.getByText('Scope: whole organization, test-aware runs included')).toBeVisible()
    await expect(page.getByRole('row', { name: '11', exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('checkbox', { name: 'Include test-aware runs' }).uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Scope: whole organization', { exact: true })).toBeVisible()
  })
  const insight = new URL(page.url()).pathname

  await test.step('an edit that was closed by accident is restored and can be discarded', async () => {
    const edit = page.getByRole('dialog', { name: 'Edit insight' })
    const heading = edit.getByRole('textbox', { name: 'Title' })
    await page.getByRole('button', { name: 'Edit' }).click()
    await heading.fill('Half written')
    await heading.press('Escape')
    await expect(edit).toHaveCount(0)
    await page.reload()
    await page.getByRole('button', { name: 'Edit' }).click()
    await expect(heading).toHaveValue('Half written')
    await edit.getByRole('button', { name: 'Discard changes' }).click()
    await expect(heading).toHaveValue('First question')
    await page.reload()
    await expect(heading).toHaveValue('First question')
    await expect(edit.getByRole('region', { name: 'Restored your unsaved changes.' })).toHaveCount(0)
  })

  await test.step('a colleague who is not an admin cannot overwrite the slug', async () => {
    await colleague.goto(`/insights/query?experiment=${id}#sql=SELECT%2022`)
    await colleague.getByRole('button', { name: 'Save as insight' }).click()
    await name(colleague, 'Mine now', id)
    await expect(saveDialog(colleague)).toContainText('It belongs to Ada Admin')
    await expect(saveDialog(colleague).getByRole('button', { name: 'Save' })).toBeDisabled()
  })

  await test.step('the owner is warned about the loss and overwrites it', async () => {
    await page.goto(`/insights/query?experiment=${id}#sql=SELECT%2033%20AS%20answer`)
    await page.getByRole('button', { name: 'Save as insight' }).click()
    await name(page, 'Second question', id)
    await expect(saveDialog(page).getByRole('region', { name: '“First question” has this slug.' })).toContainText(
      'Overwriting replaces its SQL, scope',
    )
    await expect(saveDialog(page).getByRole('button', { name: 'Save' })).toBeDisabled()
    await saveDialog(page).getByRole('checkbox', { name: 'Overwrite' }).check()
    await saveDialog(page).getByRole('button', { name: 'Overwrite' }).click()
    await expect(page.getByRole('heading', { name: 'Second question' })).toBeVisible()
    await expect(page.getByRole('link', { name: id, exact: true })).toBeVisible()
    await expect(page.getByText('Scope: whole organization')).toHaveCount(0)
    await expect(page.getByRole('row', { name: '33', exact: true })).toBeVisible()
    expect(new URL(page.url()).pathname).toBe(insight)
  })
})

test('the publish dialog warns about a column that names people, and the user can leave the column out', async ({
  page,
  push,
}) => {
  const id = `named-${Date.now()}`
  await push(definition(id))
  const dialog = page.getByRole('dialog', { name: 'Publish' })
  const warning = dialog.getByRole('region', { name: 'This exposes personal data.' })
  await page.goto(
    `/insights/query?experiment=${id}#sql=${encodeURIComponent('SELECT triggered_by AS x, count() AS runs FROM runs GROUP BY x')}`,
  )
  await page.getByRole('button', { name: 'Save as insight' }).click()
  await name(page, 'Who ran it', id)
  await saveDialog(page).getByRole('button', { name: 'Save' }).click()

  await test.step('it also warns when the column is renamed', async () => {
    await page.getByRole('button', { name: 'Publish' }).click()
    await expect(warning).toContainText('The query reads triggered_by, the id of the person who submitted the run')
    await expect(dialog.getByRole('button', { name: 'Publish anyway' })).toBeVisible()
  })

  await test.step('without the column there is no warning', async () => {
    await warning.getByRole('link', { name: 'Edit the query' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit insight' })
    await edit.getByRole('textbox', { name: 'SQL' }).click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('SELECT count() AS runs FROM ru')
    await expect(page.getByRole('listbox', { name: 'Completions' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.type('ns')
    await edit.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Publish' }).click()
    await expect(dialog.getByRole('region', { name: 'Public preview' })).toContainText('runs')
    await expect(dialog.getByRole('button', { name: 'Publish to anyone with the link' })).toBeEnabled()
    await expect(warning).toHaveCount(0)
  })
})
