import { expect, test } from 'vitest'

import { pushExperiment } from '#contract/experiments.ts'
import { putSecret } from '#contract/secrets.ts'
import { click, fill } from './act.ts'
import { expectPage } from './expect-page.ts'
import { newName, newPerson, openOrganization, type Page } from './open-page.tsx'

const openSubmit = async (page: Page) => {
  const id = newName('simple')
  await page.call(pushExperiment, {
    experimentYaml: `{id: ${id}, name: Simple, agents: [{id: a, command: ["true"]}]}`,
  })
  return `/experiments/${id}?submit=1`
}

test('a member sees their own spend and no disabled button, and nothing is refused', async () => {
  const { page, colleague } = await openOrganization()
  const submit = await openSubmit(page)
  await colleague.goto('/credits?by=user')
  await expectPage(colleague.getByText('Only admins can see and top up the balance.')).toBeVisible()
  await expectPage(colleague.getByRole('heading', { name: 'Balance' })).toHaveCount(0)
  await expectPage(colleague.getByRole('link', { name: 'Top up' })).toHaveCount(0)
  await expectPage(colleague.getByText('By person')).toHaveCount(0)
  await expectPage(colleague.getByRole('region', { name: 'Spend on your own runs' })).toBeVisible()
  await expectPage(colleague.locator('button:disabled')).toHaveCount(0)
  await colleague.goto(submit)
  await expectPage(colleague.getByText('Only admins can see the balance.')).toBeVisible()
  await colleague.goto('/')
  await expectPage(colleague.getByText('Spent by your own runs')).toBeVisible()
  expect(colleague.refused).toEqual([])
})

test('the submit dialog shows an admin the available credit beside the price', async () => {
  const { page } = await openOrganization()
  await page.goto(await openSubmit(page))
  await expectPage(page.getByText('Available:')).toBeVisible()
})

test('a member sees secrets and meets no button that would be refused', async () => {
  const { page, colleague } = await openOrganization()
  await page.call(putSecret, { slug: 'shared', value: 'not empty' })
  await colleague.goto('/secrets?new=1')
  await expectPage(colleague.getByText('Only admins can manage secrets')).toBeVisible()
  await expectPage(colleague.getByRole('row', { name: /shared/ })).toBeVisible()
  await expectPage(colleague.getByRole('dialog')).toHaveCount(0)
  await expectPage(colleague.getByRole('link', { name: 'New secret' })).toHaveCount(0)
  await expectPage(colleague.getByRole('button', { name: /^(Replace|Delete) / })).toHaveCount(0)
})

test('a member sees their own usage only', async () => {
  const { colleague } = await openOrganization()
  await colleague.goto('/credits/usage?by=person')
  await expectPage(colleague.getByText('You see only your own runs.')).toBeVisible()
  await expectPage(colleague.getByLabel('Group by')).toHaveValue('model')
  await expectPage(colleague.getByRole('option', { name: 'Person' })).toHaveCount(0)
})

test('a person sees where they are signed in, ends one session, then all others', async () => {
  const { slug, pageWith } = await openOrganization()
  const { apiKey } = await newPerson(slug, 'member')
  const page = await pageWith(apiKey)
  const firefox = await pageWith(apiKey, 'Mozilla/5.0 (Windows NT 10.0) Firefox/150.0')
  const phone = await pageWith(apiKey, 'Mozilla/5.0 (iPhone) Version/19.0 Safari/605.1')
  const isSignedIn = (other: Page) => other.isSignedIn()

  await page.goto('/settings/profile')
  const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem')
  await expectPage(sessions).toHaveCount(3)
  const current = sessions.filter({ hasText: 'this session' })
  await expectPage(current).toHaveCount(1)
  await expectPage(current.getByRole('button')).toHaveCount(0)
  await expectPage(sessions.filter({ hasText: 'Firefox on Windows' })).toHaveCount(1)

  await click(page.getByRole('button', { name: /^End the session of Firefox on Windows from / }))
  await expectPage(sessions).toHaveCount(2)
  expect(await Promise.all([page, firefox, phone].map(isSignedIn))).toEqual([true, false, true])

  await click(page.getByRole('button', { name: 'End all other sessions' }))
  await click(page.getByRole('alertdialog').getByRole('button', { name: 'End other sessions' }))
  await expectPage(sessions).toHaveCount(1)
  expect(await Promise.all([page, firefox, phone].map(isSignedIn))).toEqual([true, false, false])
  await phone.goto('/runs?status=errored')
  await expectPage(phone.getByLabel('API key')).toBeVisible()
  await fill(phone.getByLabel('API key'), apiKey)
  await click(phone.getByRole('button', { name: 'Sign in', exact: true }))
  await phone.expectURL(/\/runs\?status=errored$/)
})
