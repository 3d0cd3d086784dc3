import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { type Page, expect } from './fixtures.ts'

type Form = 'Link' | 'Text' | 'curl' | 'SQL' | 'YAML selector'

/** The page or a part of it. */
type Within = Page | ReturnType<Page['getByRole']>

/** Presses "Copy link", or chooses a format under "Copy as", and returns the clipboard. */
export async function copyAs(page: Page, within: Within, form: Form): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  // The menu from the previous copy may still be closing.
  await expect(page.getByRole('menu')).toHaveCount(0)
  if (form === 'Link') await within.getByRole('button', { name: /^Copy link$| copied$/ }).click()
  else {
    await within.getByRole('button', { name: 'Copy as', exact: true }).click()
    await page.getByRole('menuitem', { name: form, exact: true }).click()
  }
  await expect(within.getByRole('button', { name: `${form} copied` })).toBeVisible()
  return page.evaluate(() => navigator.clipboard.readText())
}

/** Runs a copied curl command in a shell with the demo admin's key and returns the platform's response. */
export async function runCurl(command: string) {
  const keys = JSON.parse(await readFile(join(process.env.ASSAY_DATA_DIR ?? '', 'demo-keys.json'), 'utf8'))
  const env = { ...process.env, ASSAY_URL: process.env.ASSAY_PLATFORM_URL, ASSAY_API_KEY: keys[0].apiKey }
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', command], { env })
  return JSON.parse(stdout)
}
