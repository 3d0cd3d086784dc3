import { expect, type Page } from './fixtures.ts'

/** Reads the key that a dialog shows, and closes the dialog. */
export async function saveKey(page: Page, name: string) {
  const dialog = page.getByRole('dialog', { name: 'Your new key' })
  const key = await dialog.getByRole('textbox', { name: `Key “${name}”` }).inputValue()
  expect(key).toMatch(/^assay_[\w-]{43}$/)
  await page.keyboard.press('Escape')
  await expect(dialog, 'a stray key press does not lose the key').toBeVisible()
  await dialog.getByRole('button', { name: 'I have saved the key' }).click()
  await expect(dialog).toHaveCount(0)
  return key
}
