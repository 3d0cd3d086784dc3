import { expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

const definition = (id: string) => `id: ${id}
name: Files in folders
agents:
  - {id: careful, transcript: text, command: [bash, -c, 'touch first second']}
  - {id: hasty, transcript: text, command: [bash, -c, 'touch second']}
prompts: [{id: terse, text: T}]
tests:
  - {name: files/first, command: [test, -f, first]}
  - {name: files/second, command: [test, -f, second]}
  - {name: starts, command: ["true"]}
`

test('a user opens and closes folders of tests with the keyboard and the mouse, and the link keeps what is open', async ({
  page,
}) => {
  test.setTimeout(300_000)
  const id = `folders-${Date.now()}`
  await submitExperiment(page, { id, yaml: definition(id), repeat: 2 })
  const heatmap = page.getByRole('button', { name: /^Heatmap of 3 tests by 2 groups/ })
  const pane = page.getByRole('complementary')

  await test.step('the left arrow reaches the name of a row, and closes and opens its folder', async () => {
    await page.goto(`/experiments/${id}/results?view=heatmap&group_by=agent`)
    await heatmap.press('ArrowLeft')
    await expect(heatmap).toHaveAccessibleDescription(/^files, open, 2 tests, level 1, All groups: 6 passed, 2 failed/)
    await heatmap.press('ArrowLeft')
    await expect(page).toHaveURL(/open=none/)
    await expect(heatmap).toHaveAccessibleDescription(/^files, closed, 2 tests, level 1/)
    await heatmap.press('ArrowDown')
    await expect(heatmap).toHaveAccessibleDescription(/^starts, All groups/)
  })

  await test.step('a closed folder counts the tests below it, and the link keeps it closed', async () => {
    await page.reload()
    await heatmap.press('ArrowRight')
    await expect(heatmap).toHaveAccessibleDescription(/^files, closed, 2 tests, hasty: 2 passed, 2 failed of 4/)
    await heatmap.press('Enter')
    await expect(page).toHaveURL(/open=all/)
    // The address changes before the rows do.
    await expect(heatmap).toHaveAccessibleDescription(/^files, open, 2 tests, hasty/)
    await heatmap.press('ArrowDown')
    await heatmap.press('Enter')
    await expect(pane).toContainText('files/first')
    await expect(pane).toContainText('2 failed')
  })

  await test.step('the order by difference names its two columns, and the table sorts and filters', async () => {
    await page.goto(`/experiments/${id}/results?view=heatmap&group_by=agent`)
    await page.getByRole('combobox', { name: 'Sort tests' }).selectOption('By difference')
    await page.getByRole('combobox', { name: 'First column of the difference' }).selectOption('hasty')
    await page.getByRole('combobox', { name: 'Second column of the difference' }).selectOption('careful')
    await expect(page).toHaveURL(/sort_rows=difference&column_left=hasty&column_right=careful/)
    await page.getByText('Table', { exact: true }).click()
    const table = page.getByRole('table', { name: 'Tests by group' })
    await expect(table.getByRole('rowheader')).toHaveText(['files/second', 'starts', 'files/first'])
    await expect(table.getByRole('row', { name: /^files\/first .*−100.0/ })).toBeVisible()
    const hasty = table.getByRole('columnheader', { name: 'hasty' })
    await hasty.getByRole('button').click()
    await hasty.getByRole('button').click()
    await expect(hasty).toHaveAttribute('aria-sort', 'ascending')
    await expect(table.getByRole('rowheader').first()).toHaveText('files/first')
    await page.reload()
    await expect(table.getByRole('rowheader').first()).toHaveText('files/first')
  })
})
