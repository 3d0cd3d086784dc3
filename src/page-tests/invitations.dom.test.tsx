import { onTestFinished, test, vi } from 'vitest'

import type { Role } from '#contract/identity.ts'
import { createInvitation } from '#contract/invitations.ts'
import { click, fill } from './act.ts'
import { expectPage } from './expect-page.ts'
import { openOrganization, type Page, visit } from './open-page.tsx'

const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })

/** The part of an invitation's link that the page reads. */
const pathOf = (link: string) => link.slice(new URL(link).origin.length)

const invite = async (page: Page, email: string, role: Role = 'member') =>
  pathOf((await page.call(createInvitation, { email, role })).link)

test('a link that is revoked says so, and so does one that is cut short', async () => {
  const { slug, page } = await openOrganization()
  const email = `guest@${slug}.example`
  const link = await invite(page, email)
  await page.goto('/settings/invitations')
  await click(page.getByRole('button', { name: `Revoke the invitation for ${email}` }))
  await click(page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }))
  await expectPage(rowOf(page, email)).toHaveCount(0)
  const guest = visit()
  await guest.goto(link)
  await expectPage(guest.getByRole('alert')).toHaveText('This invitation was revoked. Ask Ada Admin for a new one.')
  await guest.goto(link.slice(0, -1))
  await expectPage(guest.getByRole('alert')).toContainText('Check that it is complete')
})

test('the page of an invitation names the role that the person gets', async () => {
  const { slug, page } = await openOrganization()
  for (const [role, words] of [
    ['viewer', 'as a viewer.'],
    ['admin', 'as an admin.'],
  ] as const) {
    const guest = visit()
    await guest.goto(await invite(page, `new-${role}@${slug}.example`, role))
    await expectPage(guest.getByRole('main')).toContainText(words)
  }
})

test('the new key is still there when the person comes back from saving it', async () => {
  const { slug, page } = await openOrganization()
  const guest = visit()
  await guest.goto(await invite(page, `new@${slug}.example`))
  await fill(guest.getByRole('textbox', { name: 'Your name' }), 'Vera')
  await click(guest.getByRole('button', { name: 'Join' }))
  await expectPage(guest.getByRole('main')).toContainText('Save your API key now.')
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  window.dispatchEvent(new Event('visibilitychange'))
  // A link that is read again is read before this one is made.
  await invite(page, `later@${slug}.example`)
  await click(guest.getByRole('button', { name: /^Copy/ }))
  await expectPage(guest.getByRole('main')).toContainText('Save your API key now.')
})
