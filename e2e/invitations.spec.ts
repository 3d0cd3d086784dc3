import { expect, test } from './fixtures.ts'
import { invite, openElsewhere, rowOf } from './invite.ts'
import { newPerson } from './new-person.ts'
import { assay } from './operator.ts'

let people = 0
const newEmail = () => `invited-${process.pid}-${Date.now()}-${(people += 1)}@demo.example`

test('an admin invites a person, who joins by the link, saves their key, and is in the audit log', async ({
  page,
  browser,
}) => {
  test.slow()
  const email = newEmail()
  const link = await invite(page, email)
  const token = link.split('#')[1] ?? '?'
  const { page: guest, addresses } = await openElsewhere(browser, link)
  await expect(guest.getByRole('heading', { level: 1, name: /^Join / })).toBeVisible()
  await expect(guest.getByText(`Ada Admin invited ${email}`)).toBeVisible()

  await guest.getByRole('button', { name: 'Join' }).click()
  await expect(guest.getByText('must not be blank')).toBeVisible()
  await guest.getByRole('textbox', { name: 'Your name' }).fill('Grace Guest')
  await guest.getByRole('button', { name: 'Join' }).click()
  const key = await guest.getByRole('textbox', { name: 'Grace Guest’s key' }).inputValue()
  expect(key).toMatch(/^assay_[\w-]{43}$/)
  await guest.getByRole('button', { name: 'I have saved the key' }).click()
  await expect(guest.getByRole('button', { name: 'Account menu for Grace Guest' }).first()).toBeVisible()
  expect(
    addresses.filter((text) => text.includes(token)),
    'no address or header has the token',
  ).toEqual([])

  await test.step('the link works once, and the list and the audit log know that', async () => {
    const { page: late } = await openElsewhere(browser, link)
    await expect(late.getByRole('alert')).toContainText(`${email} is already a member`)
    await late.context().close()
    await page.reload()
    await expect(rowOf(page, email)).toHaveCount(0)
    await page.goto(`/settings/audit?query=${encodeURIComponent(email)}`)
    for (const event of ['Person invited', 'Invitation accepted']) await expect(rowOf(page, event)).toBeVisible()
  })
  await guest.context().close()
})

test('a removed member signs in with the key they have and joins again, and somebody else signs out first', async ({
  page,
  browser,
}) => {
  const { email, apiKey } = await newPerson({ demo: 'member' })
  await assay('member', 'remove', '--org', 'demo', '--email', email)
  const link = await invite(page, email)
  await page.goto(link)
  await expect(page.getByText('You are signed in as ada@demo.example.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible()

  const { page: guest } = await openElsewhere(browser, link)
  await guest.getByLabel('API key').fill(apiKey)
  await guest.getByRole('button', { name: 'Sign in' }).click()
  await expect(guest.getByText('The API key of this session gets access')).toBeVisible()
  await guest.getByRole('button', { name: 'Join' }).click()
  await expect(guest.getByRole('button', { name: /^Account menu for/ }).first()).toBeVisible()
  await guest.context().close()
})
