import { readFile } from 'node:fs/promises'

import { createInsight, deleteInsight } from '#contract/insights.ts'
import { createReport } from '#contract/reports.ts'
import { callAs } from './call-as.ts'
import { expect, test, type Page } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

const text = (page: Page) => page.getByRole('textbox', { name: 'Report text' })
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })
const status = (page: Page, words: string | RegExp) =>
  expect(page.getByRole('status').filter({ hasText: words })).toBeVisible()

/** Moves the cursor behind some words in the text. */
async function clickBehind(page: Page, words: string) {
  await text(page).getByText(words).click()
  await page.keyboard.press('End')
}

test('two people edit one report at once: both edits are kept, and a conflict is resolved by paragraph', async ({
  page,
  colleague,
}) => {
  await test.step('create a report from the list; the field reports a blank title', async () => {
    await page.goto('/reports')
    await page.getByRole('link', { name: 'New report' }).click()
    const dialog = page.getByRole('dialog', { name: 'New report' })
    await dialog.getByRole('button', { name: 'Create report' }).click()
    await expect(dialog.getByText('must not be blank')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Roman numerals')
    await dialog.getByRole('button', { name: 'Create report' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Roman numerals' })).toBeVisible()
  })

  await test.step('the slash menu inserts a callout, and the preview shows it', async () => {
    await text(page).click()
    await page.keyboard.type('First paragraph.\n\nSecond paragraph.\n\n/war')
    // While its options are looked up again, the menu shows the last ones and cannot be pressed.
    await expect(page.locator('.cm-tooltip-autocomplete-disabled')).toHaveCount(0)
    await page.getByRole('option', { name: 'Warning' }).click()
    await page.keyboard.type('Mind the zero.')
    await expect(preview(page).getByRole('blockquote')).toContainText('Mind the zero.')
    await status(page, /^Saved/)
  })

  await test.step('a colleague edits another paragraph; the edit arrives without moving the cursor', async () => {
    await colleague.goto(`${page.url()}?edit=1`)
    await clickBehind(page, 'First paragraph.')
    await page.keyboard.type(' Mine')
    await clickBehind(colleague, 'Second paragraph.')
    await colleague.keyboard.type(' Theirs.')
    await expect(text(page)).toContainText('Second paragraph. Theirs.')
    await page.keyboard.type(' goes on.')
    await expect(text(colleague)).toContainText('First paragraph. Mine goes on.')
    await expect(text(page)).toContainText('First paragraph. Mine goes on.')
  })

  await test.step('both edit one paragraph while one of them is offline; they see the conflict, resolve it and save', async () => {
    await page.context().setOffline(true)
    await clickBehind(page, 'Second paragraph.')
    await page.keyboard.type(' My end.')
    await status(page, 'A draft is kept in this browser')
    await clickBehind(colleague, 'Second paragraph.')
    await colleague.keyboard.type(' Their end.')
    await status(colleague, /^Saved/)
    await page.setViewportSize({ width: 360, height: 400 })
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await page.context().setOffline(false)
    const choose = page.getByRole('button', { name: 'Resolve conflict' })
    await expect(choose).toBeInViewport({ ratio: 1, timeout: 20_000 })
    await choose.click()
    const dialog = page.getByRole('dialog', { name: 'Resolve conflict' })
    await dialog.getByText('Both', { exact: true }).click()
    await expect(dialog.getByRole('button', { name: 'Save resolution' })).toBeInViewport({ ratio: 1 })
    await dialog.getByRole('button', { name: 'Save resolution' }).click()
    await status(page, /^Saved/)
    await expect(text(colleague)).toContainText('My end.', { timeout: 15_000 })
    await expect(text(colleague)).toContainText('Their end.')
  })
})

test('a draft survives a reload and merges with edits that others saved meanwhile', async ({ page, colleague }) => {
  await openNewReport(page, 'Drafted', 'Start.')
  await page.keyboard.press('ControlOrMeta+End')
  await colleague.goto(`${page.url()}?edit=1`)
  await expect(text(colleague)).toContainText('Start.')
  const address = page.url()
  const buttonBox = (name: string) => page.getByRole('button', { name, exact: true }).boundingBox()
  const before = await buttonBox('Comments')
  await page.context().setOffline(true)
  await page.keyboard.type('\n\nWritten offline.')
  await status(page, 'A draft is kept in this browser')

  await test.step('neither the message nor typing moves what a person is about to click', async () => {
    await status(page, /^Not saved:/)
    expect(await buttonBox('Comments')).toEqual(before)
    const again = await buttonBox('Try again')
    await page.keyboard.type(' More.')
    await status(page, /^Not saved yet/)
    expect(await buttonBox('Try again')).toEqual(again)
  })
  await clickBehind(colleague, 'Start.')
  await colleague.keyboard.type(' And theirs.')
  await status(colleague, /^Saved/)
  await page.goto('about:blank')
  await page.context().setOffline(false)
  await page.goto(address)
  await expect(text(page)).toContainText('Start. And theirs.')
  await expect(text(page)).toContainText('Written offline.')
  await status(page, /^Saved/)

  await test.step('a notice announces the draft; it can be discarded, and undo restores it', async () => {
    const notice = page.getByRole('region', { name: 'Restored your unsaved draft.' })
    await notice.getByRole('button', { name: 'Discard draft' }).click()
    await expect(notice).toHaveCount(0)
    await expect(text(page)).not.toContainText('Written offline.')
    await expect(text(colleague)).not.toContainText('Written offline.')
    await expect(text(page)).toContainText('Start. And theirs.')
    await text(page).click()
    await page.keyboard.press('ControlOrMeta+z')
    await expect(text(colleague)).toContainText('Written offline.')
    await page.reload()
    await expect(text(page)).toContainText('Written offline.')
    await status(page, /^Saved/)
    await expect(notice).toHaveCount(0)
  })
})

/** Creates a report with a text, and opens it with the cursor in it. */
async function openNewReport(page: Page, title: string, bodyMarkdown = '') {
  const { report } = await callAs(page, createReport, { title, bodyMarkdown })
  await page.goto(`/reports/${report.id}?edit=1`)
  await text(page).click()
}

test('an insight in a report is live, states its drift once pinned, and is explained after its deletion', async ({
  page,
  baseURL,
}) => {
  test.setTimeout(300_000)
  const id = `drift-${Date.now()}`
  const half = (passes: string) =>
    `id: ${id}\nname: Drift\nagents: [{id: a, command: ["true"]}]\ntests:\n  - {name: one, command: ["true"]}\n  - {name: two, command: ["${passes}"]}\n`
  await submitExperiment(page, { id, yaml: half('true'), repeat: 1 })
  await callAs(page, createInsight, {
    heading: 'Mean pass rate',
    slug: id,
    sql: 'SELECT avg(pass_rate) AS pass_rate FROM runs',
    provenance: { kind: 'experiment', experimentId: id },
  })
  const figure = page.getByRole('figure', { name: 'Mean pass rate' })
  const chart = page.getByRole('figure', { name: `Test results: ${id}` })

  await test.step('the block is live', async () => {
    const block = (ref: string) => `\`\`\`insight\nref: ${ref}\n\`\`\``
    await openNewReport(page, id, `Text.\n\n${block(id)}\n\n${block(`chart:${id}:tests`)}\n\nEnd.`)
    await expect(figure.getByRole('cell', { name: '1' })).toBeVisible()
    // The next step does not wait for the drawing: the export does.
    await expect(chart).toContainText('2 rows · 1 run')
  })

  await test.step('the exported file contains the drawing, and its links lead back here', async () => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'HTML' }).click()
    const html = await readFile(await (await download).path(), 'utf8')
    const file = await page.context().newPage()
    const asked: string[] = []
    file.on('request', (request) => asked.push(request.url()))
    await file.setContent(html)
    const figures = file.getByRole('figure')
    await expect(figures.nth(1).locator('svg').first()).toBeVisible()
    await expect(figures.nth(1).getByRole('link')).toHaveAttribute(
      'href',
      `${baseURL}/experiments/${id}/results?view=heatmap`,
    )
    await expect(file.getByRole('button')).toHaveCount(0)
    expect(asked).toEqual([])
    await file.close()
  })

  await test.step('the pinned text contains the result, and undo unpins it', async () => {
    await figure.getByRole('button', { name: 'Pin' }).click()
    await expect(text(page)).toContainText('fingerprint: ')
    await expect(figure).toContainText('pinned')
    await text(page).getByText('End.').click()
    await page.keyboard.press('ControlOrMeta+z')
    await expect(text(page)).not.toContainText('fingerprint: ')
    await figure.getByRole('button', { name: 'Pin' }).click()
    await chart.getByRole('button', { name: 'Pin' }).click()
    await status(page, /^Saved/)
  })

  await test.step('the block states in words how the result changed', async () => {
    await submitExperiment(page, { id, yaml: half('false'), repeat: 2 })
    await page.reload()
    await expect(figure.getByRole('status')).toHaveText('was 100 %, now 67 %: 2 new runs')
    await expect(figure.getByRole('cell', { name: '1' })).toBeVisible()
    await figure.getByRole('button', { name: 'Show both' }).click()
    await expect(figure.getByRole('region', { name: 'Pinned' }).getByRole('cell', { name: '1' })).toBeVisible()
    await expect(figure.getByRole('region', { name: 'Live' })).toContainText('0.66')
    await figure.getByRole('button', { name: 'Show pinned only' }).click()
    await expect(chart).toContainText('was 100 %, now 50 %: 2 runs from another version')
  })

  await test.step('one press pins the result of today', async () => {
    await chart.getByRole('button', { name: 'Pin again' }).click()
    await expect(chart).not.toContainText('was 100 %')
    await expect(chart.getByRole('button', { name: 'Unpin' })).toBeVisible()
    await status(page, /^Saved/)
  })

  await test.step('a clip of its page can be pinned', async () => {
    const other = await page.context().newPage()
    await other.goto(`/insights/${id}`)
    await other.getByRole('button', { name: 'Clip to report' }).click()
    const dialog = other.getByRole('dialog', { name: 'Clip to report' })
    await dialog.getByText('Pinned figure', { exact: true }).click()
    await expect(dialog.getByRole('region', { name: 'Figure to add' })).toContainText('0.66')
    await dialog.getByRole('textbox', { name: 'Or create a report' }).fill(`Clip of ${id}`)
    await dialog.getByRole('button', { name: 'Create with this clip' }).click()
    await dialog.getByRole('link', { name: `Clip of ${id}` }).click()
    await expect(text(other)).toContainText('fingerprint: ')
    await expect(other.getByRole('figure', { name: 'Mean pass rate' })).toContainText('pinned')
    await other.close()
  })

  await test.step('after its deletion the pinned block keeps its snapshot and says so; a live block asks for another insight', async () => {
    await callAs(page, deleteInsight, { ref: id })
    await page.reload()
    const orphan = page.getByRole('figure', { name: id, exact: true })
    await expect(orphan.getByRole('note')).toContainText('Showing the pinned data.')
    await expect(orphan.getByRole('cell', { name: '1' })).toBeVisible()
    await orphan.getByRole('button', { name: 'Unpin' }).click()
    await expect(orphan.getByRole('note')).toContainText('Remove this block or choose another insight.')
  })
})

test('undo removes my edits and keeps edits that others made meanwhile', async ({ page, colleague }) => {
  await openNewReport(page, 'Undone', 'First.\n\nSecond.')
  await colleague.goto(`${page.url()}?edit=1`)
  await clickBehind(page, 'First.')
  await page.keyboard.type(' Mine.')
  await status(page, /^Saved/)
  await clickBehind(colleague, 'Second.')
  await colleague.keyboard.type(' Theirs.')
  await expect(text(page)).toContainText('Second. Theirs.')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(text(page)).not.toContainText('Mine.')
  await expect(text(page)).toContainText('Second. Theirs.')
  await page.keyboard.press('ControlOrMeta+y')
  await expect(text(page)).toContainText('First. Mine.')
})

test('a report deleted while I edit keeps my text, even after a reload, and can be created again', async ({
  page,
  colleague,
}) => {
  await openNewReport(page, 'Deleted', 'Kept.')
  await colleague.goto(`${page.url()}?edit=1`)
  await colleague.getByRole('button', { name: 'More actions' }).click()
  await colleague.getByRole('menuitem', { name: 'Delete report…' }).click()
  await colleague.getByRole('alertdialog').getByRole('button', { name: 'Delete report' }).click()
  await expect(page.getByText('This report was deleted.')).toBeVisible()
  await clickBehind(page, 'Kept.')
  await page.keyboard.type(' And more.')
  await page.reload()
  await expect(page.getByText('Kept. And more.')).toBeVisible()
  await page.getByRole('button', { name: 'Save as new report' }).click()
  await expect(text(page)).toContainText('Kept. And more.')
  await status(page, /^Saved/)
})

test('mentions are found by name and inserted with the keyboard alone', async ({ page, push }) => {
  const product = `sdk-${Date.now()}`
  await push(`{id: ${product}, name: Uses a product, agents: [{id: a, command: ["true"]}], products: [${product}]}`)
  await openNewReport(page, 'Mentions')
  const { experiments } = await (await page.request.get('/api/v1/experiments?limit=1')).json()
  const [{ id, name }] = experiments
  const option = (given: string | RegExp) => page.getByRole('option', { name: given })
  await page.keyboard.type('See /exper')
  await expect(option(/^Experiment/)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Insert into report' })).toBeVisible()
  await page.keyboard.type(id)
  await page.keyboard.press('Enter')
  await expect(text(page)).toBeFocused()
  await expect(preview(page).getByRole('link', { name: `@${name}` })).toHaveAttribute('href', `/experiments/${id}`)
  await page.keyboard.type(' by /person:ada')
  await expect(option(/Ada Admin/)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await page.keyboard.type(` with /product:${product.slice(0, -1)}`)
  await expect(option(product).first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await page.keyboard.type(' and /persona:unheard-of')
  await expect(option('unheard-of')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(preview(page)).toContainText(`See @${name} by @Ada Admin with @${product} and @unheard-of`)
  // Types on without waiting for the menu: the text goes into the block that Enter inserts.
  await page.keyboard.type('\n\n/caut')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Mind the gap.')
  await expect(preview(page).getByRole('blockquote')).toHaveText(/^caution\s*Mind the gap\.\s*$/)
  await expect(text(page)).toContainText('(assay://context/persona/unheard-of)')
  await expect(preview(page).getByRole('link', { name: `@${product}` })).toHaveAttribute(
    'href',
    `/context/product/${product}`,
  )
})

test('a report shows hostile markdown as text', async ({ page }) => {
  const alerts: string[] = []
  page.on('dialog', (dialog) => {
    alerts.push(dialog.message())
    void dialog.dismiss()
  })
  await page.goto('/reports?new=1')
  await page.getByRole('textbox', { name: 'Title' }).fill('<img src=x onerror=alert(1)>')
  await page.keyboard.press('Enter')
  await text(page).click()
  await page.keyboard.insertText(
    '<script>alert(2)</script>\n\n[a](javascript:alert(3))\n\n<b onclick="alert(4)">b</b>\n\n![x](javascript:alert(5))\n\n[e](//evil.example) end',
  )
  await expect(preview(page)).toContainText('end')
  await expect(preview(page).getByRole('link')).toHaveCount(0)
  expect(alerts).toEqual([])
})
