import { expect, test } from './fixtures.ts'

/** Every page with a list, and the name of its search. To check another page, add a line. */
const lists: Record<string, string> = {
  '/experiments': 'Search experiments',
  '/runs': 'Search runs',
  '/schedules': 'Search schedules',
  '/insights': 'Search insights',
  '/reports': 'Search reports',
  '/context': 'Search records',
  '/context/suggestions': 'Search suggestions',
  '/notifications': 'Search notifications',
  '/secrets': 'Search secrets',
  '/settings/keys': 'Search keys',
  '/settings/organization/keys': 'Search keys',
  '/settings/members': 'Search members',
  '/settings/invitations': 'Search invitations',
  '/settings/webhooks': 'Search webhooks',
  '/settings/audit': 'Search people and subjects',
}

/** Pages without a search, where the key opens the palette. */
const others = ['/', '/credits', '/credits/usage', '/settings/mail', '/settings/retention']

test('the key / focuses the search of every list, and opens the palette on pages without one', async ({ page }) => {
  test.setTimeout(300_000)
  for (const [path, name] of Object.entries(lists)) {
    await page.goto(path)
    const search = page.getByRole('searchbox', { name })
    await expect(search, path).toBeVisible()
    await page.keyboard.press('/')
    await expect(search, path).toBeFocused()
    await expect(search, path).toHaveValue('')
  }
  for (const path of others) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
    await page.keyboard.press('/')
    await expect(page.getByRole('combobox', { name: 'Search everything' }), path).toBeFocused()
    await page.keyboard.press('Escape')
  }
})
