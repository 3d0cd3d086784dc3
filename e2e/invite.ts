import type { Browser } from '@playwright/test'

import { expect, type Page } from './fixtures.ts'

export const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })

/** An admin makes the link in the browser. */
export async function invite(page: Page, email: string, role: 'Member' | 'Admin' = 'Member') {
  await page.goto('/settings/members')
  await page.getByRole('link', { name: 'Invite' }).click()
  const form = page.getByRole('dialog', { name: 'Invite a person' })
  await form.getByRole('textbox', { name: 'Email address' }).fill(email)
  await form.getByText(role, { exact: true }).click()
  await form.getByRole('button', { name: 'Create link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send this link' })
  const link = await dialog.getByRole('textbox', { name: `Link for ${email}` }).inputValue()
  await page.keyboard.press('Escape')
  await expect(dialog, 'a stray key press does not lose the link').toBeVisible()
  await dialog.getByRole('button', { name: 'I have copied the link' }).click()
  await expect(rowOf(page, email)).toBeVisible()
  return link
}

/** The link in another browser, where nobody is signed in. */
export async function openElsewhere(browser: Browser, link: string) {
  const page = await (await browser.newContext()).newPage()
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url() + JSON.stringify(request.headers())))
  await page.goto(link)
  return { page, addresses }
}
