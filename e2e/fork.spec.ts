import { expect, test } from './fixtures.ts'

test('a user forks an example, changes a line, pushes it, and sees exactly that line in the diff', async ({ page }) => {
  const id = `word-${Date.now()}`
  const complaints: string[] = []
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text())
  })

  await test.step('the id field reports an id that already exists', async () => {
    await page.goto('/experiments/find-the-word')
    await page.getByRole('link', { name: 'Fork' }).click()
    const dialog = page.getByRole('dialog', { name: 'Fork find-the-word' })
    const idField = dialog.getByRole('textbox', { name: 'Experiment id' })
    await expect(idField).toHaveValue(/^find-the-word-v2/)
    await idField.fill('Not kebab')
    await expect(dialog.getByText('must be kebab-case')).toBeVisible()
    await idField.fill('csv-summary')
    await dialog.getByRole('button', { name: 'Fork' }).click()
    await expect(dialog.getByText('"csv-summary" already exists')).toBeVisible()

    await idField.fill(id)
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Find another word')
    await dialog.getByRole('button', { name: 'Fork' }).click()
    await expect(page).toHaveURL(new RegExp(`/experiments/${id}$`))
    await expect(page.getByRole('heading', { name: 'Find another word' })).toBeVisible()
  })

  await test.step('change one line and push it with the keyboard', async () => {
    await page.getByRole('link', { name: 'Definition' }).click()
    const editor = page.getByRole('textbox', { name: 'Experiment definition, YAML' })
    await editor.getByText('maxTimeSeconds: 3').click()
    await page.keyboard.press('End')
    await page.keyboard.type('0')
    await page.keyboard.press('ControlOrMeta+S')
    await expect(page.getByText('Saved as v2.')).toBeVisible()
  })

  await test.step('compare v1 with v2', async () => {
    await page.getByRole('link', { name: 'Compare v1 with v2' }).click()
    const diff = page.getByRole('region', { name: 'v1 vs v2' })
    await expect(diff.getByText('1 line added, 1 line removed')).toBeAttached()
    // A changed line has a style but no role.
    const changed = (side: string) => diff.getByRole('textbox', { name: side }).locator('.cm-changedLine')
    await expect(changed('v1')).toHaveText(['  maxTimeSeconds: 3'])
    await expect(changed('v2')).toHaveText(['  maxTimeSeconds: 30'])
  })

  await test.step('a pasted link shows the same diff; swapping the versions reverses it', async () => {
    await page.reload()
    await expect(page.getByRole('region', { name: 'v1 vs v2' })).toBeVisible()
    await expect(page.getByText('Run both versions to see the effect on results')).toBeVisible()
    await page.getByRole('button', { name: 'Swap sides' }).click()
    const diff = page.getByRole('region', { name: 'v2 vs v1' })
    await expect(diff.getByRole('textbox', { name: 'v1' })).toContainText('maxTimeSeconds: 3')
    await diff.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('textbox', { name: 'Experiment definition, YAML' })).toBeVisible()
  })
  expect(complaints).toEqual([])
})
