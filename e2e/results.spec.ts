import { expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

/** The agents' behavior depends on the repeat, so the careful agent is better on average, but not by much more than the runs vary. */
const definition = (id: string) => `id: ${id}
name: Careful or hasty
agents:
  - id: careful
    transcript: assay-jsonl
    command: [bash, -c, 'touch first; test $ASSAY_REPEAT = 2 || touch second; echo "{\\"usage\\": {\\"inputTokens\\": 10, \\"outputTokens\\": 5, \\"costUsd\\": 0.25}}"']
  - id: hasty
    transcript: assay-jsonl
    command: [bash, -c, 'test $ASSAY_REPEAT = 1 || touch first; test $ASSAY_REPEAT != 2 || touch second; echo "{\\"usage\\": {\\"inputTokens\\": 10, \\"outputTokens\\": 5, \\"costUsd\\": 0.1}}"']
  - {id: lazy, transcript: text, command: [bash, -c, 'test $ASSAY_REPEAT != 1 || touch first']}
prompts: [{id: terse, text: T}, {id: long, text: L}]
tests:
  - {name: makes the first, command: [test, -f, first]}
  - {name: makes the second, command: [test, -f, second]}
  - {name: always there, command: ["true"]}
`

test('a user compares two agents, sees the repeats that would decide, and opens the runs behind every mark', async ({
  page,
}) => {
  test.setTimeout(300_000)
  const id = `results-${Date.now()}`
  await submitExperiment(page, { id, yaml: definition(id), repeat: 3 })
  const views = page.getByRole('navigation', { name: 'Results' })
  const pane = page.getByRole('complementary')

  await test.step('the verdict claims no more than its interval allows', async () => {
    await page.goto(`/experiments/${id}/results`)
    await page.getByRole('combobox', { name: 'Group by' }).selectOption('agent')
    await views.getByRole('link', { name: 'Compare' }).click()
    const pair = page.getByRole('region', { name: 'careful vs hasty' })
    await expect(pair.getByRole('status').first()).toHaveText(
      /^Inconclusive on these 2 prompts: careful − hasty = \+33(\.3)? points, 95 % CI −\d+(\.\d)? to \+\d+(\.\d)? \(6 vs 6 runs\)\.$/,
    )
    await page.getByRole('combobox', { name: 'Measure' }).selectOption('Test pass rate')
    await expect(pair.getByRole('status').first()).toHaveText(
      /^Inconclusive on these 2 prompts: careful − hasty = \+22(\.2)? points, 95 % CI −\d+(\.\d)? to \+\d+(\.\d)? \(6 vs 6 runs\)\.$/,
    )
    await expect(pair).toContainText('Matched byprompt')
  })

  await test.step('one pair of many shows the corrected p-value of the table first and its own second', async () => {
    await page.goto(`/experiments/${id}/results?view=compare&measure=passRate&group_by=agent&left=lazy&right=careful`)
    const row = page.getByRole('table', { name: 'All pairs' }).getByRole('row', { name: 'careful – lazy' })
    await expect(row).toBeVisible()
    const [corrected = '', own = ''] = (await row.getByRole('cell').allInnerTexts()).slice(6, 8)
    expect([corrected, own]).not.toContain('–')
    expect(corrected).not.toBe(own)
    const pair = page.getByRole('region', { name: 'lazy vs careful' })
    await expect(pair).toContainText(`Corrected p${corrected}p, uncorrected${own}`)
    await page.goto(`/experiments/${id}/results?view=compare&measure=passRate&group_by=agent`)
  })

  await test.step('a matched cell links to the runs of both groups', async () => {
    await page.getByRole('table', { name: 'Matched prompts' }).getByRole('button', { name: 'terse' }).click()
    await expect(page).toHaveURL(/cell=terse/)
    await expect(pane.getByRole('link')).toHaveCount(6)
    await expect(pane).toContainText('careful: 3 runs')
    await pane.getByRole('button', { name: 'Close' }).click()
  })

  await test.step('the offer of more repeats fills in the submit dialog with the price of such runs', async () => {
    const more = page.getByRole('link', { name: /^Submit \d+ more repeats$/ })
    const repeats = Number(/\d+/.exec(await more.innerText())?.[0])
    await expect(page.getByText(`${4 * repeats} runs: $${(0.7 * repeats).toFixed(2)} typical (P50)`)).toBeVisible()
    await more.click()
    const dialog = page.getByRole('dialog', { name: 'Submit runs' })
    await expect(dialog.getByRole('textbox', { name: 'Repeats of each variant' })).toHaveValue(String(repeats))
    await expect(dialog.getByRole('button', { name: `Submit ${4 * repeats} runs` })).toBeEnabled()
  })

  await test.step('a heatmap cell opens its runs with every key of a button and with assistive technology', async () => {
    for (const press of ['Enter', 'Space', 'click']) {
      await page.goto(`/experiments/${id}/results?view=heatmap&group_by=agent`)
      const heatmap = page.getByRole('button', { name: /^Heatmap of 3 tests by 3 groups/ })
      await heatmap.press('ArrowDown')
      await expect(heatmap).toHaveAccessibleDescription(/^makes the first, careful/)
      await (press === 'click' ? heatmap.dispatchEvent('click') : heatmap.press(press))
      await expect(pane.getByText('6 runs')).toBeVisible()
    }
  })

  await test.step('a mark of the scatter plot opens its runs with the keyboard, and then one of them', async () => {
    await page.goto(`/experiments/${id}/results?view=scatter&group_by=agent&against=costUsd`)
    const mark = page.getByRole('button', { name: /^careful: test pass rate 88.9 %, model cost \$0.25, 6 runs/ })
    await mark.focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/group=careful/)
    await expect(pane).toContainText('6 runs')
    await pane.getByRole('link').first().click()
    await expect(page).toHaveURL(/\/runs\/careful/)
    await expect(page.getByRole('heading', { level: 1, name: /^careful.* #\d$/ })).toBeVisible()
  })

  await test.step('the table of the box plot contains the same numbers', async () => {
    await page.goto(`/experiments/${id}/results?view=scatter&group_by=agent&against=costUsd&as=table`)
    await expect(page.getByRole('row', { name: /^hasty 6 6 66.7 % \$0.10/ })).toBeVisible()
    await views.getByRole('link', { name: 'Metric' }).click()
    // The scatterplot, whose button is named Chart too, stays until the code of the next view is loaded.
    await expect(page.getByRole('combobox', { name: 'Metric', exact: true })).toBeVisible()
    await page.getByText('Chart', { exact: true }).click()
    await expect(page.getByRole('button', { name: /^hasty 6 runs: median \$0.10/ })).toBeVisible()
  })

  await test.step('a rate is a dot with its interval, sorted by value, and the link keeps the order', async () => {
    await page.getByRole('combobox', { name: 'Metric', exact: true }).selectOption('Solved')
    const marks = page.getByRole('button', { name: /^(careful|hasty|lazy) 6 runs: .* solved, 95 % CI/ })
    await expect(marks.first()).toHaveAccessibleName(/^careful 6 runs: 66.7 % solved, 95 % CI /)
    await page.getByRole('combobox', { name: 'Sort groups' }).selectOption('By name')
    await expect(page).toHaveURL(/order=name/)
    await expect(page.getByText(/95 % confidence interval \(CI\) for these prompts/)).toBeVisible()
    await page.getByText('Table', { exact: true }).click()
    await expect(page.getByRole('row', { name: /^careful 6 6 66.7 % / })).toBeVisible()
  })

  await test.step('the trends of one version say so, and over time they say when its runs ended', async () => {
    await page.goto(`/experiments/${id}/results?view=trends&group_by=agent`)
    await expect(page.getByText('Only v1 has finished runs')).toBeVisible()
    await page.getByRole('combobox', { name: 'Over' }).selectOption('Over time')
    await expect(page.getByText(/^All runs ended on|^Changes from day to day/)).toBeVisible()
    await views.getByRole('link', { name: 'Metric' }).click()
  })

  await test.step('flaky and uninformative tests are listed', async () => {
    await views.getByRole('link', { name: 'Flaky & uninformative tests' }).click()
    const flaky = page.getByRole('table', { name: 'Flaky tests' })
    await expect(flaky.getByRole('row', { name: /^makes the second 4/ })).toBeVisible()
    await expect(page.getByRole('table', { name: 'Tests that always passed' })).toContainText('always there')
    await flaky.getByRole('button', { name: /^4\/6 hasty: makes the first, / }).click()
    await expect(pane).toContainText('4 passed')
  })

  await test.step('a table of results sorts by its numbers, and missing values stay last', async () => {
    await page.goto(`/experiments/${id}/results?view=metric&metric=costUsd&as=table&group_by=agent`)
    const table = page.getByRole('table', { name: 'Groups' })
    const mean = table.getByRole('columnheader', { name: 'Mean' })
    for (const [direction, names] of [
      ['descending', ['careful', 'hasty', 'lazy']],
      ['ascending', ['hasty', 'careful', 'lazy']],
    ] as const) {
      await mean.getByRole('button').click()
      await expect(mean).toHaveAttribute('aria-sort', direction)
      await expect(table.getByRole('rowheader')).toHaveText(names)
    }
  })

  await test.step('on a phone, the side pane leaves the selection visible', async () => {
    await page.setViewportSize({ width: 360, height: 760 })
    for (const query of ['view=compare&measure=passRate&group_by=agent', 'view=metric&as=table&group_by=agent']) {
      await page.goto(`/experiments/${id}/results?${query}`)
      const table = page.getByRole('table', { name: /Matched |Groups/ })
      const name = table.getByRole('rowheader').last().getByRole('button')
      await name.click()
      await expect(pane).toBeVisible()
      const [chosen, over] = await Promise.all([name.boundingBox(), pane.boundingBox()])
      expect((chosen?.y ?? 0) + (chosen?.height ?? 0)).toBeLessThanOrEqual(over?.y ?? 0)
      expect(chosen?.y).toBeGreaterThan(48)
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  })
})
