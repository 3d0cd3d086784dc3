import { test } from 'vitest'

import { click, fill, selectOption } from './act.ts'
import { expectPage } from './expect-page.ts'
import { newPerson, openOrganization } from './open-page.tsx'

test('an admin changes a role and removes a member, and the last admin cannot leave', async () => {
  const { page, slug } = await openOrganization()
  const { name } = await newPerson(slug, 'member')
  await page.goto(`/settings/members?query=${name}`)
  const role = page.getByRole('combobox', { name: `Role of ${name}` })
  await selectOption(role, 'Admin')
  const question = page.getByRole('dialog', { name: `Make ${name} an admin?` })
  await click(question.getByRole('button', { name: 'Go back' }))
  await expectPage(role).toHaveValue('member')
  await selectOption(role, 'Admin')
  await click(question.getByRole('button', { name: 'Make admin' }))
  await expectPage(role).toHaveValue('admin')
  await click(page.getByRole('button', { name: `Remove ${name}` }))
  await click(page.getByRole('dialog', { name: `Remove ${name}?` }).getByRole('button', { name: 'Remove member' }))
  await expectPage(page.getByText('No members match these filters')).toBeVisible()
  await click(page.getByRole('button', { name: 'Clear filters' }).last())
  await expectPage(page.getByRole('combobox', { name: 'Role of Ada Admin' })).toBeDisabled()
  const leaving = page.getByRole('button', { name: 'Leave this organization' })
  await expectPage(leaving).toBeDisabled()
  leaving.find().forEach((button) => (button as HTMLElement).click())
  await expectPage(page.getByRole('dialog')).toHaveCount(0)
})

test('an admin renames the organization, and what they type meanwhile stays', async () => {
  const { page } = await openOrganization()
  await page.goto('/settings/general')
  const name = page.getByRole('textbox', { name: 'Name' })
  await fill(name, ' ')
  await click(page.getByRole('button', { name: 'Save name' }))
  await expectPage(page.getByText('must not be blank')).toBeVisible()
  await fill(name, 'The New Lab')
  const hold = page.hold(/\/organization(\?|$)/)
  await click(page.getByRole('button', { name: 'Save name' }))
  await hold.reached
  await fill(name, 'Lab')
  hold.release()
  await expectPage(page.getByText('The New Lab', { exact: true }).first()).toBeVisible()
  await expectPage(name).toHaveValue('Lab')
  await click(page.getByRole('button', { name: 'Save name' }))
  await expectPage(page.getByRole('button', { name: 'Save name' })).toBeDisabled()
  await expectPage(page.getByText('The New Lab', { exact: true })).toHaveCount(0)
})

test('a member approves the key that a program on their machine made', async () => {
  const { colleague } = await openOrganization()
  await colleague.goto(`/settings/keys?approve=${'0a'.repeat(32)}&prefix=assay_Zk3x9Q&name=assay+on+laptop`)
  const dialog = colleague.getByRole('dialog', { name: 'Approve a key' })
  await expectPage(dialog.getByText('assay_Zk3x9Q…')).toBeVisible()
  await click(dialog.getByRole('button', { name: 'Approve key' }))
  await expectPage(dialog.getByText('You can go back to the terminal.')).toBeVisible()
  await click(dialog.getByRole('button', { name: 'Close' }).last())
  await expectPage(colleague.getByRole('dialog')).toHaveCount(0)
  await expectPage(colleague.getByText('assay on laptop')).toBeVisible()
})

test('a member has keys of their own, and reads who can see those of the organization', async () => {
  const { colleague } = await openOrganization()
  await colleague.goto('/settings')
  await expectPage(colleague.getByRole('heading', { level: 1, name: 'Your API keys' })).toBeVisible()
  const pages = colleague.getByRole('navigation', { name: 'Settings' }).getByRole('link')
  await expectPage(pages).toHaveTexts(['Your API keys', 'Notifications', 'Profile', 'General', 'Members'])
  await colleague.goto('/settings/organization/keys?new=1')
  await expectPage(colleague.getByText(/Only admins of the organization can see .* Ask Ada Admin/)).toBeVisible()
  await expectPage(colleague.getByRole('dialog')).toHaveCount(0)
})
