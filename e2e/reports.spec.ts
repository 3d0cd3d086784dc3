import { expect, test, type Page } from './fixtures.ts'

const text = (page: Page) => page.getByRole('textbox', { name: 'Report text' })
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })
const status = (page: Page, words: string | RegExp) =>
  expect(page.getByRole('status').filter({ hasText: words })).toBeVisible()

/** The cursor goes behind some words that stand in the text. */
async function clickBehind(page: Page, words: string) {
  await text(page).getByText(words).click()
  await page.keyboard.press('End')
}

test('two people write one report at once: both texts survive, a conflict is resolved by paragraph', async ({
  page,
  colleague,
}) => {
  await test.step('begin a report from the list; a blank title is refused by its field', async () => {
    await page.goto('/reports')
    await page.getByRole('link', { name: 'New report' }).click()
    const dialog = page.getByRole('dialog', { name: 'New report' })
    await dialog.getByRole('button', { name: 'Begin' }).click()
    await expect(dialog.getByText('must not be blank')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Roman numerals')
    await dialog.getByRole('button', { name: 'Begin' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Roman numerals' })).toBeVisible()
  })

  await test.step('the slash menu puts a callout in, and the preview shows it', async () => {
    await text(page).click()
    await page.keyboard.type('First paragraph.\n\nSecond paragraph.\n\n/war')
    await page.getByRole('option', { name: 'Warning' }).click()
    await page.keyboard.type('Mind the zero.')
    await expect(preview(page).getByRole('blockquote')).toContainText('Mind the zero.')
    await status(page, 'Stored')
  })

  await test.step('a colleague edits another paragraph; it arrives without moving the cursor', async () => {
    await colleague.goto(page.url())
    await clickBehind(page, 'First paragraph.')
    await page.keyboard.type(' Mine')
    await clickBehind(colleague, 'Second paragraph.')
    await colleague.keyboard.type(' Theirs.')
    await expect(text(page)).toContainText('Second paragraph. Theirs.')
    await page.keyboard.type(' goes on.')
    await expect(text(colleague)).toContainText('First paragraph. Mine goes on.')
    await expect(text(page)).toContainText('First paragraph. Mine goes on.')
  })

  await test.step('both change one paragraph while one of them is offline: shown, chosen, stored', async () => {
    await page.context().setOffline(true)
    await clickBehind(page, 'Second paragraph.')
    await page.keyboard.type(' My end.')
    await status(page, 'A draft is kept in this browser')
    await clickBehind(colleague, 'Second paragraph.')
    await colleague.keyboard.type(' Their end.')
    await status(colleague, 'Stored')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Choose what stays' }).click({ timeout: 20_000 })
    const dialog = page.getByRole('dialog', { name: 'Changed by others and by you' })
    await dialog.getByText('Both', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Use these' }).click()
    await status(page, 'Stored')
    await expect(text(colleague)).toContainText('My end.', { timeout: 15_000 })
    await expect(text(colleague)).toContainText('Their end.')
  })
})

test('a draft outlives a reload, and merges with what others stored meanwhile', async ({ page, colleague }) => {
  await page.goto('/reports?new=1')
  await page.getByRole('textbox', { name: 'Title' }).fill('Drafted')
  await page.keyboard.press('Enter')
  await text(page).click()
  await page.keyboard.type('Start.')
  await status(page, 'Stored')
  await colleague.goto(page.url())
  await expect(text(colleague)).toContainText('Start.')
  const address = page.url()
  await page.context().setOffline(true)
  await page.keyboard.type('\n\nWritten offline.')
  await status(page, 'A draft is kept in this browser')
  await clickBehind(colleague, 'Start.')
  await colleague.keyboard.type(' And theirs.')
  await status(colleague, 'Stored')
  await page.goto('about:blank')
  await page.context().setOffline(false)
  await page.goto(address)
  await expect(text(page)).toContainText('Start. And theirs.')
  await expect(text(page)).toContainText('Written offline.')
  await status(page, 'Stored')
})

test('hostile markdown is text', async ({ page }) => {
  const alerts: string[] = []
  page.on('dialog', (dialog) => {
    alerts.push(dialog.message())
    void dialog.dismiss()
  })
  await page.goto('/reports?new=1')
  await page.getByRole('textbox', { name: 'Title' }).fill('<img src=x onerror=alert(1)>')
  await page.keyboard.press('Enter')
  await text(page).click()
  await page.keyboard.insertText(
    '<script>alert(2)</script>\n\n[a](javascript:alert(3))\n\n<b onclick="alert(4)">b</b>\n\n![x](javascript:alert(5))\n\n[e](//evil.example) end',
  )
  await expect(preview(page)).toContainText('end')
  await expect(preview(page).getByRole('link')).toHaveCount(0)
  expect(alerts).toEqual([])
})
