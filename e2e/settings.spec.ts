import { expect, test } from './fixtures.ts'
import { rowOf } from './invite.ts'
import { newPerson } from './new-person.ts'
import { saveKey } from './save-key.ts'

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
  await expect(async () => {
    await page.reload()
    await expect(rowOf(page, name)).toContainText('just now', { timeout: 2000 })
  }).toPass({ timeout: 20_000 })

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

test('an admin changes a role and removes a member, and the last admin cannot leave', async ({ page }) => {
  const { email } = await newPerson({ demo: 'member' })
  const name = email.split('@')[0] ?? ''
  await page.goto(`/settings/members?query=${name}`)
  const role = page.getByRole('combobox', { name: `Role of ${name}` })
  await role.selectOption('Admin')
  const question = page.getByRole('dialog', { name: `Make ${name} an admin?` })
  await question.getByRole('button', { name: 'Go back' }).click()
  await expect(role).toHaveValue('member')
  await role.selectOption('Admin')
  await question.getByRole('button', { name: 'Make admin' }).click()
  await expect(role).toHaveValue('admin')
  await page.getByRole('button', { name: `Remove ${name}` }).click()
  await page
    .getByRole('dialog', { name: `Remove ${name}?` })
    .getByRole('button', { name: 'Remove member' })
    .click()
  await expect(page.getByText('No members match these filters')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByRole('combobox', { name: 'Role of Ada Admin' })).toBeDisabled()
  await page.getByRole('button', { name: 'Leave this organization' }).click({ force: true })
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('an admin renames the organization, and a person changes their own name, on every page at once', async ({
  page,
}) => {
  await page.goto('/settings/general')
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill(' ')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByText('must not be blank')).toBeVisible()
  await name.fill('The Demo Lab')
  const answer = Promise.withResolvers<undefined>()
  await page.route(/\/organization$/, async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Save name' }).click()
  // What somebody types while the name is saved stays.
  await name.fill('Demo')
  answer.resolve(undefined)
  await expect(page.getByText('The Demo Lab', { exact: true }).first()).toBeVisible()
  await expect(name).toHaveValue('Demo')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByRole('button', { name: 'Save name' })).toBeDisabled()

  await page.goto('/settings/profile')
  await page.getByRole('textbox', { name: 'Display name' }).fill('Somebody')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByRole('alert')).toContainText('The demo signs visitors in as this person')
})

test.describe('settings of a member', () => {
  test.use({ person: 'member' })

  test('a member has keys of their own, and reads who can see those of the organization', async ({ page }) => {
    await page.goto('/settings')
    await expect(page.getByRole('heading', { level: 1, name: 'Your API keys' })).toBeVisible()
    const pages = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    await expect(pages).toHaveText(['Your API keys', 'Notifications', 'Profile', 'General', 'Members'])
    await page.goto('/settings/organization/keys?new=1')
    await expect(page.getByText(/Only admins of the organization can see .* Ask Ada Admin/)).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})
