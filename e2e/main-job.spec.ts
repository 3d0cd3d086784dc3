import { clickCell } from './click-cell.ts'
import { expect, test } from './fixtures.ts'

/** Two agents, one of which greets the wrong person; its test reports that on stderr. Both run long enough to be watched. */
const definition = (id: string) => `id: ${id}
name: Greet by name
agents:
  - id: polite
    command: [bash, -c, "sleep 1; echo 'I read the prompt.'; echo 'Hello, Ada' > greeting.txt"]
  - id: absent-minded
    command: [bash, -c, "sleep 1; echo 'I skimmed the prompt.'; echo 'Hello, Bob' > greeting.txt"]
prompts:
  - id: ada
    text: Write a greeting for Ada to greeting.txt.
tests:
  - name: writes a greeting
    command: [test, -s, greeting.txt]
  - name: greets Ada
    command: [bash, -c, "grep -q Ada greeting.txt || { echo 'Ada was not greeted' >&2; exit 1; }"]
`

test('a user fixes a definition, runs it, and reaches the runs behind a failed heatmap cell', async ({ page }) => {
  const id = `greet-${Date.now()}`

  await test.step('write an experiment; the editor points at the error', async () => {
    await page.goto('/experiments')
    await page.getByRole('link', { name: 'New experiment' }).click()
    const editor = page.getByRole('textbox', { name: 'Experiment definition, YAML' })
    await editor.click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText(definition(id).replace('prompts:', 'promts:'))
    await expect(page.getByRole('button', { name: 'Line 8 unknown field "promts"' })).toBeVisible()

    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page).toHaveURL(/\/experiments\/new/)
  })

  await test.step('fix the error and push', async () => {
    await page.getByRole('button', { name: /^Line 8/ }).click()
    await page.keyboard.press('Home')
    for (let typed = 0; typed < 'prom'.length; typed += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.type('p')
    await expect(page.getByRole('heading', { name: '2 variants' })).toBeVisible()
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page).toHaveURL(new RegExp(`/experiments/${id}`))
    await expect(page.getByRole('heading', { name: 'Greet by name' })).toBeVisible()
  })

  await test.step('submit 2 variants × 3 repeats', async () => {
    await page.getByRole('link', { name: 'Submit runs' }).click()
    await page.getByRole('textbox', { name: 'Repeats of each variant' }).fill('3')
    await page.getByRole('button', { name: 'Submit 6 runs' }).click()
    await expect(page.getByRole('heading', { name: '2 variants × 3 repeats' })).toBeVisible()
  })

  await test.step('the runs finish on the page without a reload', async () => {
    await page.evaluate(() => Object.assign(globalThis, { neverReloaded: true }))
    await expect(page.getByText('6 of 6 runs', { exact: true })).not.toBeVisible()
    await expect(page.getByText('6 of 6 runs', { exact: true })).toBeVisible({ timeout: 120_000 })
    await expect(page.getByText('9 passed, 3 failed of 12')).toBeAttached()
    expect(await page.evaluate(() => 'neverReloaded' in globalThis)).toBe(true)
  })

  await test.step('open the failing test and read its stderr beside the transcript', async () => {
    await page.getByRole('link', { name: /^absent-minded · ada, repeat 2: completed/ }).click()
    await expect(page.getByRole('button', { name: /greets Ada/, expanded: true })).toBeVisible()
    await expect(page.getByText('Ada was not greeted', { exact: true })).toBeVisible()
    await expect(page.getByText('I skimmed the prompt.')).toBeVisible()
  })

  await test.step('open the heatmap, click the failed cell, and see its runs', async () => {
    await page.getByRole('button', { name: 'More about the run' }).click()
    await page.getByRole('menuitem', { name: /^Results of v\d+$/ }).click()
    await expect(
      page.getByText(
        'Not enough data to say which is best. polite is ahead with 100 %, but every group needs at least 4 runs of each prompt to rule out chance.',
      ),
    ).toBeVisible()
    await page.getByRole('link', { name: 'Heatmap' }).click()
    await clickCell(page, /^greets Ada, absent-minded: 3 failed of 3/)
    const pane = page.getByRole('complementary', { name: 'Runs behind the cell' })
    await expect(pane.getByText('3 runs')).toBeVisible()
    await expect(pane.getByRole('listitem')).toHaveCount(3)
    await page.reload()
    await expect(pane.getByRole('listitem')).toHaveCount(3)

    await pane.getByRole('link', { name: /#1/ }).click()
    await expect(page.getByRole('heading', { name: /absent-minded · ada/ })).toBeVisible()
    await expect(page.getByText('Ada was not greeted', { exact: true })).toBeVisible()
  })
})
