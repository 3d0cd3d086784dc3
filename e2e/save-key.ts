import { listKeys } from '#contract/api-keys.ts'
import { limits } from '#contract/wire/limit.ts'
import { callAs } from './call-as.ts'
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

/**
 * Whether the platform has noted that an organization's key was used, which it does a second later. A story that reloads
 * the list until a page shows it fails on a busy machine.
 */
export async function isUsed(page: Page, name: string) {
  const { keys } = await callAs(page, listKeys, { pageSize: limits.apiKeys.max })
  return keys.some((key) => key.name === name && key.lastUsedAt !== undefined)
}
