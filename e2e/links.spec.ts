import { expect, test } from './fixtures.ts'

test('a user adds, pastes, edits and removes links of an experiment, and undoes a removal', async ({ page }) => {
  const removed = { timeout: 20_000 }
  const links = page.getByRole('list', { name: 'Links' })
  await page.goto('/experiments/csv-summary')

  await test.step('add a link; the field reports an invalid URL', async () => {
    await page.getByRole('button', { name: 'Add link', exact: true }).click()
    const form = page.getByRole('form', { name: 'Add link' })
    await form.getByRole('textbox', { name: 'Title' }).fill('The paper')
    await form.getByRole('textbox', { name: 'URL' }).fill('javascript:alert(1)')
    await page.keyboard.press('Enter')
    await expect(form.getByText('must be an http or https URL')).toBeVisible()
    await form.getByRole('textbox', { name: 'URL' }).fill('https://lab.example/paper')
    await page.keyboard.press('Enter')
    await expect(links.getByRole('link', { name: 'The paper' })).toHaveAttribute('href', 'https://lab.example/paper')
    await form.getByRole('button', { name: 'Close' }).click()
  })

  await test.step('paste three links; the invalid line stays for correction', async () => {
    await page.getByRole('button', { name: 'Paste links' }).click()
    const form = page.getByRole('form', { name: 'Paste links' })
    const box = form.getByRole('textbox', { name: 'One link per line' })
    const bad = 'Click me javascript:alert(1)'
    await box.fill(
      `Thread https://chat.example/1\n[Dashboard](https://dash.example/d)\n${bad}\nhttps://arxiv.example/abs/1`,
    )
    await expect(form.getByText('Line 3 skipped:')).toBeVisible()
    await form.getByRole('button', { name: 'Add 3 links' }).click()
    await expect(links.getByRole('link')).toHaveText(['The paper', 'Thread', 'Dashboard', 'arxiv.example/abs/1'])
    await expect(box).toHaveValue(bad)
    await form.getByRole('button', { name: 'Close' }).click()
  })

  await test.step('edit a link in place', async () => {
    await page.getByRole('button', { name: 'Edit Thread' }).click()
    const form = page.getByRole('form', { name: 'Edit Thread' })
    await form.getByRole('textbox', { name: 'Title' }).fill('')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form.getByText('must not be blank')).toBeVisible()
    await form.getByRole('textbox', { name: 'Title' }).fill('The thread')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(links.getByRole('link', { name: 'The thread' })).toHaveAttribute('href', 'https://chat.example/1')
    await expect(page.getByRole('button', { name: 'Edit The thread' })).toBeFocused()
  })

  await test.step('remove two links and restore one of them', async () => {
    await page.getByRole('button', { name: 'Remove Dashboard' }).click()
    await page.getByRole('button', { name: 'Remove The paper' }).click()
    await page.getByRole('button', { name: 'Undo the removal of The paper' }).click()
    await expect(links.getByRole('link')).toHaveCount(3, removed)
  })

  await page.reload()
  await expect(links.getByRole('link')).toHaveText(['The paper', 'The thread', 'arxiv.example/abs/1'])
})
