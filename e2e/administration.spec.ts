import type { Browser } from '@playwright/test'

import { expect, type Page, test } from './fixtures.ts'
import { invite, openElsewhere, rowOf } from './invite.ts'
import { isUsed, saveKey } from './save-key.ts'

/** A browser that is signed in with a key, as somebody does who was given one. */
async function signInWith(browser: Browser, key: string) {
  const page = await (await browser.newContext()).newPage()
  await page.goto('/')
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  return page
}

/** Calls the API one call after the other until `stop`, which returns the statuses of all answers. */
function keepCalling(page: Page) {
  const statuses: number[] = []
  const stopping = new AbortController()
  const calling = (async () => {
    while (!stopping.signal.aborted) statuses.push((await page.request.get('/api/v1/experiments')).status())
  })()
  const stop = async () => {
    stopping.abort()
    await calling
    return statuses
  }
  return { statuses, stop }
}

test('an admin invites a colleague, creates a key, sees when it was used, rotates it without a failed call, and finds every step in the audit log', async ({
  page,
  browser,
}) => {
  test.slow()
  const stamp = Date.now()
  const email = `colleague-${stamp}@demo.example`
  const name = `Dashboard ${stamp}`

  await test.step('the colleague joins by the link', async () => {
    const { page: guest } = await openElsewhere(browser, await invite(page, email))
    await guest.getByRole('textbox', { name: 'Your name' }).fill('Carla Colleague')
    await guest.getByRole('button', { name: 'Join' }).click()
    await guest.getByRole('button', { name: 'I have saved the key' }).click()
    await expect(guest.getByRole('button', { name: 'Account menu for Carla Colleague' }).first()).toBeVisible()
    await guest.context().close()
    await page.goto(`/settings/members?query=${email}`)
    await expect(rowOf(page, email)).toContainText('Carla Colleague')
  })

  const first = await test.step('the admin makes a key for them', async () => {
    await page.goto('/settings/organization/keys?new=1')
    const form = page.getByRole('dialog', { name: 'New organization key' })
    await form.getByRole('textbox', { name: 'Name' }).fill(name)
    await form.getByRole('button', { name: 'Create key' }).click()
    const key = await saveKey(page, name)
    await expect(rowOf(page, name)).toContainText('never')
    return key
  })

  const user = await signInWith(browser, first)
  await test.step('the admin sees that it is used', async () => {
    await expect.poll(() => isUsed(page, name)).toBe(true)
    await page.reload()
    await expect(rowOf(page, name)).toContainText('just now')
  })

  await test.step('it is rotated and the old one revoked, and no call fails', async () => {
    const withFirst = keepCalling(user)
    await page.getByRole('button', { name: `Rotate ${name}` }).click()
    await page
      .getByRole('dialog', { name: `Rotate “${name}”` })
      .getByRole('button', { name: 'Rotate key' })
      .click()
    const next = await signInWith(browser, await saveKey(page, name))
    const withSecond = keepCalling(next)
    await expect.poll(() => withSecond.statuses.length).toBeGreaterThan(2)
    const old = await withFirst.stop()
    expect(old.length).toBeGreaterThan(2)
    expect(new Set(old), 'the old key keeps working until it is revoked').toEqual(new Set([200]))
    await rowOf(page, name)
      .filter({ hasText: 'Rotated' })
      .getByRole('button', { name: `Revoke ${name}` })
      .click()
    await page
      .getByRole('dialog', { name: `Revoke “${name}”?` })
      .getByRole('button', { name: 'Revoke key' })
      .click()
    await expect(rowOf(page, name)).toHaveCount(1)
    const seen = withSecond.statuses.length
    await expect.poll(() => withSecond.statuses.length).toBeGreaterThan(seen + 2)
    expect(new Set(await withSecond.stop())).toEqual(new Set([200]))
    expect((await user.request.get('/api/v1/experiments')).status()).toBe(401)
    for (const each of [user, next]) await each.context().close()
  })

  await test.step('all of it is in the audit log', async () => {
    for (const [query, events] of [
      [email, ['Person invited', 'Invitation accepted']],
      [name, ['API key created', 'API key rotated', 'API key revoked']],
    ] as const) {
      await page.goto(`/settings/audit?query=${encodeURIComponent(query)}`)
      for (const event of events) await expect(rowOf(page, event).first()).toBeVisible()
    }
  })
})
