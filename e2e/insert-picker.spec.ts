import { Buffer } from 'node:buffer'
import { readFile } from 'node:fs/promises'

import { type Page, expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

/** One transparent pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const text = (page: Page) => page.getByRole('textbox', { name: 'Report text' })
const preview = (page: Page) => page.getByRole('region', { name: 'Preview', exact: true })
const picker = (page: Page) => page.getByRole('dialog', { name: 'Insert into report' })

async function openMenu(page: Page, typed: string) {
  await text(page).press('ControlOrMeta+End')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.keyboard.type(typed)
}

/** The editor ignores a choice in the first moment of its menu, so that nobody chooses what appears under a key. */
async function choose(page: Page, name: RegExp) {
  const option = page.getByRole('option', { name })
  await option.waitFor()
  await expect(async () => {
    if (await option.isVisible()) await option.click()
    await expect(option).toBeHidden({ timeout: 300 })
  }).toPass()
}

test('the picker finds charts, runs and people, and shows them before they are inserted', async ({ page }) => {
  const id = `picked-${Date.now()}`
  const yaml = `id: ${id}\nname: Picked ${id}\nagents: [{ id: solo, command: ["true"] }]\ntests: [{ name: t, command: ["true"] }]\n`
  await submitExperiment(page, { id, yaml })
  await page.goto('/reports')
  await page.getByRole('link', { name: 'New report' }).click()
  const dialog = page.getByRole('dialog', { name: 'New report' })
  await dialog.getByRole('textbox', { name: 'Title' }).fill(id)
  await dialog.getByRole('button', { name: 'Create report' }).click()
  await text(page).click()

  await test.step('a chart is found by words of its experiment and view, and its preview has no controls of the report', async () => {
    await openMenu(page, '/chart')
    await choose(page, /^Chart/)
    await picker(page).getByRole('textbox', { name: 'Search' }).fill(`${id} heat`)
    const results = picker(page).getByRole('list', { name: 'Results' }).getByRole('button')
    await expect(results).toHaveCount(1)
    await expect(results).toContainText(`Heatmap: Picked ${id}`)
    const shown = picker(page).getByRole('region', { name: 'Preview of the insert' })
    await expect(shown.getByRole('figure')).toContainText('1 run')
    await expect(shown.getByRole('button', { name: /^(Pin|Edit figure)$/ })).toHaveCount(0)
    await picker(page).getByRole('button', { name: 'Insert', exact: true }).click()
    await expect(text(page)).not.toContainText('/chart')
    const figure = preview(page).getByRole('figure')
    await expect(figure).toContainText('1 run')
    await figure.getByRole('button', { name: 'Edit figure' }).click()
    const form = page.getByRole('dialog', { name: 'Edit figure' })
    await form.getByRole('textbox', { name: 'Title' }).fill('Where it fails')
    await form.getByText('Medium', { exact: true }).click()
    await form.getByRole('button', { name: 'Update figure' }).click()
    await expect(text(page)).toContainText('size: medium')
    await expect(preview(page).getByRole('figure', { name: 'Where it fails' })).toContainText('1 run')
  })

  await test.step('a run is found by its experiment, and chosen with the keyboard alone', async () => {
    await openMenu(page, '/run')
    await choose(page, /^Run/)
    await expect(picker(page).getByRole('textbox', { name: 'Search' })).toBeFocused()
    await page.keyboard.type(id)
    await expect(picker(page).getByRole('list', { name: 'Results' }).getByRole('button')).toHaveCount(1)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(picker(page)).toBeHidden()
    await expect(preview(page).getByRole('link', { name: '@solo #1' })).toHaveAttribute('href', /\/runs\//)
  })

  await test.step('@ offers people and runs', async () => {
    await openMenu(page, 'By @ada')
    await choose(page, /Ada Admin/)
    await expect(text(page)).toContainText(/By \[@Ada Admin\]\(assay:\/\/people\//)
    await openMenu(page, 'See @run:solo')
    await expect(page.getByRole('option', { name: /solo #1/ }).first()).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('/contents inserts a table of contents, which an exported file has too', async () => {
    await openMenu(page, '## First part')
    await openMenu(page, '/contents')
    await choose(page, /^Contents/)
    await page.keyboard.type('Then words.')
    const link = preview(page).getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'First part' })
    await expect(link).toHaveAttribute('href', '#user-content-first-part')
    await expect(preview(page).getByText('Then words.', { exact: true })).toBeVisible()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'HTML' }).click()
    const html = await readFile(await (await download).path(), 'utf8')
    expect(html).toMatch(
      /<h2 id="user-content-first-part">.*<nav aria-label="Contents">.*href="#user-content-first-part"/s,
    )
  })

  await test.step('/image opens the file dialog and inserts the image where it was typed', async () => {
    await openMenu(page, '/image')
    const chooser = page.waitForEvent('filechooser')
    await choose(page, /^Image/)
    await (await chooser).setFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') })
    await page.getByRole('dialog', { name: 'Describe image' }).getByRole('button', { name: 'Not now' }).click()
    await expect(text(page)).toContainText('assay://images/')
    await expect(text(page)).not.toContainText(/\/image(?!s)/)
  })
})
