import { readFile } from 'node:fs/promises'

import { addFigure } from '#contract/report-figures.ts'
import { callAs } from './call-as.ts'
import { type Page, expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

const definition = (id: string, careful: string) => `id: ${id}
name: Sums
agents:
  - { id: hasty, command: ["true"] }
  - { id: careful, command: [bash, -c, "${careful}"] }
tests:
  - { name: the sum is right, command: [bash, -c, "test -e sum.txt"] }
`

const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })
const text = (page: Page) => page.getByRole('textbox', { name: 'Report text' })
const saved = (page: Page) => expect(page.getByRole('status').filter({ hasText: /^Saved/ })).toBeVisible()

test('a pinned figure keeps its data, says when the live data differ, and shows both', async ({ page, colleague }) => {
  const id = `pinned-${Date.now()}`
  const results = `/experiments/${id}/results`
  await submitExperiment(page, { id, yaml: definition(id, 'touch sum.txt') })
  const figure = preview(page).getByRole('figure', { name: 'Who wins' })

  await test.step('clip a view as a pinned figure into a new report', async () => {
    await page.goto(`${results}?view=heatmap&as=table`)
    await page.getByRole('button', { name: 'Clip to report' }).click()
    const dialog = page.getByRole('dialog', { name: 'Clip to report' })
    await dialog.getByText('Pinned figure', { exact: true }).click()
    await expect(dialog.getByRole('region', { name: 'Figure to add' })).toContainText('the sum is right')
    await dialog.getByRole('textbox', { name: 'Or create a report' }).fill(id)
    await dialog.getByRole('button', { name: 'Create with this clip' }).click()
    await dialog.getByRole('link', { name: id }).click()
    await expect(text(page)).toContainText(/pinned: [0-9a-f-]{36}/)
    await expect(preview(page).getByRole('figure')).toContainText(/pinned \d+ \w+ \d{4} by Ada Admin/)
  })

  await test.step('a live figure is pinned in its form, which then has no controls of the view', async () => {
    await text(page).press('ControlOrMeta+End')
    await page.keyboard.insertText(`\n\n\`\`\`chart\npage: ${results}\ntitle: Who wins\n\`\`\`\n`)
    await expect(figure).toContainText('live')
    await expect(figure).toContainText('100 %')
    await figure.getByRole('button', { name: 'Edit figure' }).click()
    const form = page.getByRole('dialog', { name: 'Edit figure' })
    await expect(form.getByRole('group', { name: 'View' })).toContainText('100 %')
    await form.getByRole('switch', { name: 'Pinned' }).click()
    await expect(form.getByText(/^Pinned \d/)).toBeVisible()
    await expect(form.getByRole('textbox', { name: 'View URL' })).toBeDisabled()
    await form.getByRole('button', { name: 'Update figure' }).click()
    await expect(figure).toContainText(/pinned \d+ \w+ \d{4} by Ada Admin/)
    await expect(figure.getByRole('status')).toHaveCount(0)
    await saved(page)
  })

  await test.step('after other runs a reader sees the pinned numbers, that they changed, and both', async () => {
    await submitExperiment(page, { id, yaml: definition(id, 'exit 0'), repeat: 2 })
    await colleague.goto(`${page.url().split('?')[0]}/read`)
    const read = colleague.getByRole('figure', { name: 'Who wins' })
    await expect(read.getByRole('status')).toHaveText('Changed since it was pinned')
    await expect(read).toContainText('100 %')
    await read.getByRole('button', { name: 'Show both' }).click()
    await expect(read.getByRole('region', { name: 'Pinned' })).toContainText('100 %')
    const live = read.getByRole('region', { name: 'Live' })
    await expect(live).toContainText('of v2')
    await expect(live).not.toContainText('100 %')
    await read.getByRole('button', { name: 'Show pinned only' }).click()
    await expect(live).toBeHidden()
  })

  await test.step('the exported file has the pinned data and its date', async () => {
    await page.reload()
    await expect(figure.getByRole('status')).toHaveText('Changed since it was pinned')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'HTML' }).click()
    const html = await readFile(await (await download).path(), 'utf8')
    expect(html).toMatch(/pinned <time[^>]*>\d+ \w+ \d{4}<\/time> by Ada Admin/)
    expect(html).toContain('100 %')
  })

  await test.step('one press pins the data of today', async () => {
    await figure.getByRole('button', { name: 'Pin again' }).click()
    await expect(figure.getByRole('status')).toHaveCount(0)
    await expect(figure.getByRole('button', { name: 'Pin again' })).toBeHidden()
    await expect(figure).toContainText(/pinned \d+ \w+ \d{4} by Ada Admin/)
    await expect(figure).not.toContainText('100 %')
    await saved(page)
  })

  await test.step('a block written by hand cannot harm the report', async () => {
    const nested = '['.repeat(500_000) + ']'.repeat(500_000)
    const { figure: stored } = await callAs(page, addFigure, { page: results, resultsJson: nested })
    const nobody = '019a1f2c-8f60-7000-8000-0000000000b1'
    const blocks = [stored.id, nobody, 'x', stored.id].map(
      (pin, place) =>
        `\`\`\`chart\npage: ${results}${place === 3 ? '?view=heatmap' : ''}\ntitle: By hand ${place}\npinned: ${pin}\n\`\`\``,
    )
    await text(page).press('ControlOrMeta+End')
    await page.keyboard.insertText(`\n\n${blocks.join('\n\n')}\n`)
    const byHand = (place: number) => preview(page).getByRole('figure', { name: `By hand ${place}` })
    await expect(byHand(0).getByRole('note')).toContainText('The pinned data could not be read.')
    await expect(byHand(1).getByRole('note')).toContainText('The pinned data no longer exists.')
    await expect(preview(page).getByText('This chart block is invalid.')).toBeVisible()
    await expect(byHand(3).getByRole('note')).toContainText('The pinned data is of another view.')
    await byHand(1).getByRole('button', { name: 'Unpin' }).click()
    await expect(byHand(1)).toContainText('of v2')
  })
})
