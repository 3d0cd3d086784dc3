import { expect, type Page, test } from './fixtures.ts'

/** Types into the palette and chooses an entry. */
async function take(page: Page, words: string, entry: string | RegExp) {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByPlaceholder(/^Search experiments, runs/).fill(words)
  await page.getByRole('dialog').getByRole('option', { name: entry }).first().click()
}

test('the palette and the keys after g open every page, those of settings too', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  await test.step('find the pages', async () => {
    for (const name of [
      'Context',
      'Notifications',
      'Secrets',
      'Credits',
      'Insights',
      'Reports',
      'Runs',
      'Experiments',
    ]) {
      await take(page, name, name)
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    }
  })

  await test.step('find pages of settings and a member', async () => {
    for (const [words, entry, name] of [
      ['members', /^Members Settings/, 'Members'],
      ['retention', /^Retention/, 'Retention'],
      ['audit', /^Audit log/, 'Audit log'],
    ] as const) {
      await take(page, words, entry)
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    }
    await take(page, 'Max', /^Max Member/)
    await expect(page).toHaveURL(/\/settings\/members\?query=/)
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByPlaceholder(/^Search experiments, runs/).fill('log out')
    await expect(page.getByRole('dialog').getByRole('option', { name: 'Sign out' }).first()).toBeVisible()
    await page.keyboard.press('Escape')
    for (const [key, name] of [
      ['s', 'Your API keys'],
      ['b', 'Credits'],
      ['k', 'Secrets'],
      ['c', 'Context'],
      ['p', 'Reports'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    }
  })
})

test('assistive technology sees a combobox, and a dialog that closes returns the focus to where it was', async ({
  page,
  push,
  newReport,
}) => {
  const id = `focus-${Date.now()}`
  await push(`{id: ${id}, name: ${id}, agents: [{id: a, command: ["true"]}], tests: [{name: t, command: ["true"]}]}`)
  await page.goto(`/experiments/${id}`)
  const fork = page.getByRole('link', { name: 'Fork' })
  await expect(fork).toBeVisible()

  await fork.focus()
  await page.keyboard.press('ControlOrMeta+k')
  const search = page.getByRole('combobox', { name: 'Search everything' })
  await expect(search).toBeFocused()
  await search.fill('dark')
  const first = page.getByRole('option', { name: 'Dark theme' })
  await expect(first).toHaveAttribute('aria-selected', 'true')
  await expect(search).toHaveAttribute('aria-activedescendant', (await first.getAttribute('id')) ?? 'none')
  await page.keyboard.press('Escape')
  await expect(fork).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: `Fork ${id}` })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(fork).toBeFocused()

  // The item of the menu that opens the next dialog is gone when it closes.
  await page.goto(`/reports/${await newReport({ title: 'Focus' })}?edit=1`)
  const menu = page.getByRole('button', { name: 'More actions' })
  await menu.click()
  await page.getByRole('menuitem', { name: /^Delete/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Go back' }).click()
  await expect(menu).toBeFocused()
})

test('letters in an open menu leave the page as it is, and work again when the menu is closed', async ({ page }) => {
  await page.goto('/runs')
  await page.getByRole('button', { name: /^Saved views/ }).click()
  const menu = page.getByRole('menu')
  await expect(menu).toBeVisible()
  for (const key of ['c', 'g', 'k', 'g', 'e']) await page.keyboard.press(key)
  await expect(menu).toBeVisible()
  await expect(page).toHaveURL(/\/runs$/)
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await page.keyboard.press('g')
  await page.keyboard.press('e')
  await expect(page).toHaveURL(/\/experiments$/)
})
