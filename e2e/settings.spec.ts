import { expect, test } from './fixtures.ts'
import { rowOf } from './invite.ts'
import { isUsed, saveKey } from './save-key.ts'

test('an admin creates a key for a service, sees when it was used, rotates it without a failed call, and revokes it', async ({
  page,
}) => {
  test.slow()
  const name = `Nightly ${Date.now()}`
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url() + JSON.stringify(request.headers())))
  const platform = process.env.ASSAY_PLATFORM_URL ?? ''
  const statusWith = async (key: string) =>
    (await fetch(`${platform}/api/v1/whoami`, { headers: { authorization: `Bearer ${key}` } })).status

  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Your API keys' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'API keys', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible()

  await page.getByRole('link', { name: 'New key' }).click()
  const form = page.getByRole('dialog', { name: 'New organization key' })
  await form.getByRole('button', { name: 'Create key' }).click()
  await expect(form.getByText('must not be blank')).toBeVisible()
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  await form.getByRole('combobox', { name: 'Expiry' }).selectOption('30 days')
  await form.getByRole('button', { name: 'Create key' }).click()
  const first = await saveKey(page, name)
  await expect(rowOf(page, name)).toContainText('never')

  expect(await statusWith(first)).toBe(200)
  await expect.poll(() => isUsed(page, name)).toBe(true)
  await page.reload()
  await expect(rowOf(page, name)).toContainText('just now')

  await page.getByRole('button', { name: `Rotate ${name}` }).click()
  const rotation = page.getByRole('dialog', { name: `Rotate “${name}”` })
  await expect(rotation.getByRole('combobox', { name: 'The old key expires' })).toHaveValue('24')
  await rotation.getByRole('button', { name: 'Rotate key' }).click()
  const second = await saveKey(page, name)
  expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200])
  await expect(rowOf(page, name)).toHaveCount(2)
  await expect(rowOf(page, name).filter({ hasText: 'Rotated' })).toHaveCount(1)

  await rowOf(page, name)
    .filter({ hasText: 'Rotated' })
    .getByRole('button', { name: `Revoke ${name}` })
    .click()
  const question = page.getByRole('dialog', { name: `Revoke “${name}”?` })
  await question.getByRole('button', { name: 'Revoke key' }).click()
  await expect(rowOf(page, name)).toHaveCount(1)
  expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200])
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Audit log' }).click()
  await page.getByRole('searchbox', { name: 'Search people and subjects' }).fill('ada@')
  for (const event of ['API key created', 'API key rotated', 'API key revoked'])
    await expect(rowOf(page, event).filter({ hasText: name }).first()).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('menuitem', { name: /^NDJSON/ }).click()
  expect((await saved).suggestedFilename()).toBe('audit-log.ndjson')
  expect(addresses.filter((text) => text.includes(first) || text.includes(second))).toEqual([])
})

test('the demo does not let a visitor rename the person it signs everybody in as', async ({ page }) => {
  await page.goto('/settings/profile')
  await page.getByRole('textbox', { name: 'Display name' }).fill('Somebody')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByRole('alert')).toContainText('The demo signs visitors in as this person')
})
