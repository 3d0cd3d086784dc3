import { type Page, expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

const definition = (id: string) => `id: ${id}
name: Write a sum
agents:
  - { id: hasty, command: [bash, -c, 'echo 41 > sum.txt; echo "{\\"role\\":\\"assistant\\",\\"kind\\":\\"message\\",\\"text\\":\\"I wrote **sum.txt**.\\"}"'], transcript: assay-jsonl }
  - { id: careful, command: [bash, -c, 'echo 42 > sum.txt'], transcript: assay-jsonl }
tests:
  - name: the sum is right
    command: [bash, -c, "grep -qx 42 sum.txt || { echo 'sum.txt holds another number' >&2; exit 1; }"]
`

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Clip to report' })
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })

/** Adds the clip to an existing report with this title; a view can be added as a live figure or as text. */
async function clipInto(page: Page, title: string, form?: 'Live figure' | 'Text snapshot') {
  if (form) await dialog(page).getByText(form, { exact: true }).click()
  await dialog(page).getByRole('list', { name: 'Latest reports' }).getByRole('button', { name: title }).click()
  await expect(dialog(page).getByRole('status')).toHaveText(`Added to ${title}`)
}

test('a user opens a failed cell, clips it into a report, and follows the link in the report back', async ({
  page,
}) => {
  test.setTimeout(300_000)
  const id = `clip-${Date.now()}`
  const title = `Findings of ${id}`
  await submitExperiment(page, { id, yaml: definition(id), repeat: 2 })

  await test.step('open the failing test from its heatmap cell', async () => {
    await page.goto(`/experiments/${id}/results?view=heatmap&group_by=agent&as=table`)
    await page.getByRole('button', { name: /^the sum is right, hasty: 2 failed/ }).click()
    await page
      .getByRole('complementary', { name: 'Runs behind the cell' })
      .getByRole('link', { name: 'failed' })
      .first()
      .click()
    await expect(page.getByText('the sum is right: exit code 1')).toBeVisible()
  })

  await test.step('clip the test into a new report; the title field reports a missing title', async () => {
    await page.getByRole('region', { name: 'Tests' }).getByRole('button', { name: 'Clip to report' }).click()
    await expect(dialog(page)).toContainText('sum.txt holds another number')
    await dialog(page).getByRole('button', { name: 'Create with this clip' }).click()
    await expect(dialog(page).getByText('Enter a title')).toBeVisible()
    await dialog(page).getByRole('textbox', { name: 'Or create a report' }).fill(title)
    await dialog(page).getByRole('button', { name: 'Create with this clip' }).click()
    await dialog(page).getByRole('link', { name: title }).click()
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(title)
  })

  await test.step('the report quotes the test with its version, axes and date, and links back to it', async () => {
    const clip = preview(page).getByRole('blockquote')
    await expect(clip).toContainText('the sum is right: failed, exit code 1')
    await expect(clip).toContainText('sum.txt holds another number')
    await expect(clip).toContainText(/Write a sum v1 · agent: hasty.* · 20\d\d-\d\d-\d\dT/)
    await clip.getByRole('link').click()
    await expect(page.getByText('the sum is right: exit code 1')).toBeVisible()
  })

  const clipTurn = page
    .getByRole('button', { name: 'Clip turn 0 to report' })
    .or(page.getByRole('button', { name: 'Clip turn 1 to report' }))
    .first()

  await test.step('add a turn, a heatmap cell and a comparison to the same report, as text', async () => {
    await clipTurn.click()
    await clipInto(page, title, 'Text snapshot')
    await page.goto(`/experiments/${id}/results?view=heatmap&group_by=agent&test=the+sum+is+right&group=hasty`)
    await page.getByRole('complementary').getByRole('button', { name: 'Clip to report' }).click()
    await clipInto(page, title)
    await page.goto(`/experiments/${id}/results?group_by=agent&view=compare&measure=passRate`)
    await page.getByRole('button', { name: 'Clip to report' }).click()
    await clipInto(page, title, 'Text snapshot')
    await dialog(page).getByRole('link', { name: title }).click()
    const clips = preview(page).getByRole('blockquote')
    await expect(clips).toHaveCount(4)
    await expect(clips.nth(1)).toContainText('assistant: I wrote **sum.txt**.')
    await expect(clips.nth(2)).toContainText('the sum is right · hasty: 2 failed')
    await expect(clips.nth(3)).toContainText(
      'Not enough runs to compare careful with hasty on this experiment (observed',
    )
    await clips.nth(1).getByRole('link').click()
    await expect(page.getByRole('article', { name: /^Turn \d+, assistant/ })).toContainText('I wrote sum.txt.')
  })

  const figure = (name: RegExp) => preview(page).getByRole('figure', { name })

  await test.step('add the same turn and comparison as live figures, drawn as on their pages', async () => {
    await clipTurn.click()
    await clipInto(page, title, 'Live figure')
    await page.goto(`/experiments/${id}/results?group_by=agent&view=compare&measure=passRate`)
    await page.getByRole('button', { name: 'Clip to report' }).click()
    await expect(dialog(page).getByRole('region', { name: 'Figure to add' })).toContainText(
      'Not enough runs to compare',
    )
    await clipInto(page, title, 'Live figure')
    await dialog(page).getByRole('link', { name: title }).click()
    await expect(figure(/, turn \d+$/).getByRole('article', { name: /^Turn \d+, assistant/ })).toContainText(
      'I wrote sum.txt.',
    )
    await expect(figure(/careful vs hasty/)).toContainText('Not enough runs to compare careful with hasty')
    await expect(figure(/careful vs hasty/).getByRole('combobox')).toHaveCount(0)
  })

  await test.step('a form changes the caption, the size and the view of a figure', async () => {
    await figure(/careful vs hasty/)
      .getByRole('button', { name: 'Edit figure' })
      .click()
    const form = page.getByRole('dialog', { name: 'Edit figure' })
    await form.getByRole('textbox', { name: 'Caption' }).fill('Too few runs.')
    await form.getByText('Medium', { exact: true }).click()
    await form.getByRole('navigation', { name: 'Results' }).getByRole('link', { name: 'Heatmap' }).click()
    await form.getByRole('button', { name: 'Update figure' }).click()
    await expect(figure(/careful vs hasty/)).toContainText('Too few runs.')
    await expect(figure(/careful vs hasty/)).toContainText('1 test × 2 groups')
    await expect(page.getByRole('textbox', { name: 'Report text' })).toContainText('size: medium')
    await expect(page).toHaveURL(/\/reports\//)
  })

  await test.step('the title of a figure leads to its page', async () => {
    await figure(/, turn \d+$/)
      .getByRole('link', { name: /, turn \d+$/ })
      .click()
    await expect(page).toHaveURL(/\/runs\//)
    await expect(page.getByRole('article', { name: /^Turn \d+, assistant/ })).toContainText('I wrote sum.txt.')
  })
})
