import { writeHeader } from '#contract/session.ts'
import { expect, type Page, test } from './fixtures.ts'

/** Types into the palette and chooses an entry. */
async function take(page: Page, words: string, entry: string | RegExp) {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByPlaceholder(/^Search experiments, runs/).fill(words)
  await page.getByRole('dialog').getByRole('option', { name: entry }).first().click()
}

test('the palette opens every page, finds any run by its id, and offers the actions of the current page', async ({
  page,
  context,
  baseURL,
  push,
}) => {
  test.slow()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  const id = `palette-${Date.now()}`
  await push(
    `{id: ${id}, name: ${id}, agents: [{id: a, command: [sleep, "300"]}], tests: [{name: t, command: ["true"]}]}`,
  )
  const post = async (path: string, data: object) => {
    const response = await page.request.post(`/api/v1${path}`, {
      headers: { [writeHeader]: '1', origin: baseURL ?? '' },
      data,
    })
    expect(response.ok(), await response.text()).toBe(true)
    return response.json()
  }
  const { runRequestId } = await post(`/experiments/${id}/runs`, { repeat: 2 })
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
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    }
  })

  await test.step('find a request by its id: copy its call as curl, and cancel its runs after confirming', async () => {
    await take(page, runRequestId, `Run ${runRequestId}`)
    await expect(page).toHaveURL(new RegExp(`/runs/${runRequestId}`))
    await expect(page.getByRole('button', { name: 'Cancel all' })).toBeVisible()
    await take(page, 'curl', 'Copy as curl')
    await expect.poll(copied).toContain(`/api/v1/runs/${runRequestId}`)
    await take(page, 'Cancel', 'Cancel 2 runs')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel 2 runs' }).click()
    await expect(page.getByRole('link', { name: 'Canceled 2' })).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByPlaceholder(/^Search experiments, runs/).fill('Cancel 2')
    await expect(page.getByRole('dialog').getByRole('option', { name: /^Cancel \d/ })).toHaveCount(0)
    await page.keyboard.press('Escape')
  })

  await test.step('find a run by its hash, charts, SQL and the theme', async () => {
    const { runs } = await (await page.request.get(`/api/v1/runs?experiment_id=${id}`)).json()
    const runId: string = runs[0].id
    await take(page, runId.slice(runId.indexOf('::') + 2), `run ${runId.slice(runId.indexOf('::') + 2)}`)
    await expect(page).toHaveURL(new RegExp(`/runs/${encodeURIComponent(runId)}`))
    await page.goto(`/experiments/${id}`)
    await expect(page.getByRole('heading', { level: 1, name: id })).toBeVisible()
    await take(page, 'heatmap', `Results of ${id}`)
    await expect(page).toHaveURL(/view=heatmap/)
    await take(page, 'dark', 'Dark theme')
    await expect(page.locator('html[data-mantine-color-scheme=dark]')).toBeAttached()
    await take(page, 'system theme', 'System theme')
    await take(page, 'sql', 'New query')
    await expect(page).toHaveURL(/\/insights\/query/)
  })

  await test.step('find an insight and publish it', async () => {
    const provenance = { kind: 'experiment', experimentId: id }
    const { insight } = await post('/insights', {
      heading: 'How many',
      slug: id,
      sql: 'SELECT count() FROM runs',
      provenance,
    })
    await page.goto(`/insights/${insight.reference}`)
    await expect(page.getByRole('button', { name: 'Publish' })).toBeVisible()
    await take(page, 'share', 'Share How many')
    await expect(page.getByRole('dialog', { name: 'Publish' })).toContainText('Anyone with the link can see this')
  })
})

test('assistive technology sees a combobox, and a dialog that closes returns the focus to where it was', async ({
  page,
  push,
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
  await page.goto('/reports?new=1')
  await page.getByRole('textbox', { name: 'Title' }).fill('Focus')
  await page.getByRole('button', { name: 'Create report' }).click()
  const menu = page.getByRole('button', { name: 'More actions' })
  await menu.click()
  await page.getByRole('menuitem', { name: /^Delete/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Go back' }).click()
  await expect(menu).toBeFocused()
})
