import { type Page, expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

const definition = (id: string) => `id: ${id}
name: Reviewed by two
agents: [{id: careful, command: ["true"]}]
tests: [{name: parses, command: ["true"]}, {name: refuses, command: ["false"]}]
`

test('two people review the runs of a list by keyboard, each on their own, and see how well they agree', async ({
  page,
  colleague,
}) => {
  const id = `review-${Date.now()}`
  await submitExperiment(page, { id, yaml: definition(id), repeat: 4 })
  await page.goto(`/runs?experiment_id=${id}`)
  await page.getByRole('link', { name: 'Review runs' }).click()
  await expect(page.getByText('Run 1 of 4')).toBeVisible()
  await test.step('the queue has the order of the list', async () => {
    await page.goto(`/runs?experiment_id=${id}&sort=-repeat`)
    await page.getByRole('link', { name: 'Review runs' }).click()
    await expect(page.getByRole('heading', { name: 'careful #4' })).toBeVisible()
    await page.keyboard.press('l')
    await expect(page.getByRole('heading', { name: 'careful #3' })).toBeVisible()
  })
  const keys = `/review?experiment_id=${id}&keys=fine&keys=wrong+api`

  await test.step('the first person tags every run with one key each', async () => {
    await page.goto(keys)
    await review(page, ['1', '2', '2', '1'])
    await expect(page.getByText('4 reviewed by you')).toBeVisible()
  })

  await test.step('the second person sees the tag of the first after their own', async () => {
    await colleague.goto(keys)
    await expect(colleague.getByText('1 label from other people is hidden until you tag this run.')).toBeVisible()
    await review(colleague, ['1', '2', '1', '1'])
    await expect(colleague.getByText('Others:')).toBeVisible()
  })

  await test.step('a key pressed again deletes the tag', async () => {
    await colleague.keyboard.press('1')
    await expect(tag(colleague, '1')).toHaveAttribute('aria-pressed', 'false')
    await expect(colleague.getByText('3 reviewed by you')).toBeVisible()
  })

  await test.step('the removal says what it removed, also after the next run has opened, and can be undone', async () => {
    const removed = colleague.getByText(/^Removed “fine” from careful #\d\.$/)
    await expect(removed).toBeVisible()
    await colleague.keyboard.press('h')
    await colleague.getByRole('button', { name: 'Undo' }).click()
    await expect(colleague.getByText('4 reviewed by you')).toBeVisible()
    await expect(removed).toBeHidden()
    await colleague.keyboard.press('l')
    await expect(tag(colleague, '1')).toHaveAttribute('aria-pressed', 'true')
    await colleague.keyboard.press('1')
    await expect(removed).toBeVisible()
    await colleague.keyboard.press('u')
    await expect(removed).toBeHidden()
    await expect(tag(colleague, '1')).toHaveAttribute('aria-pressed', 'true')
    await colleague.keyboard.press('1')
    await expect(colleague.getByText('3 reviewed by you')).toBeVisible()
  })

  await test.step('a run with only a note is done, but says that it has no tag', async () => {
    await colleague.keyboard.press('m')
    const dialog = colleague.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Look again')
    await dialog.getByRole('button', { name: 'Add note' }).click()
    await colleague.keyboard.press('Escape')
    await expect(colleague.getByText('4 reviewed by you, 1 without a tag')).toBeVisible()
    await expect(colleague.getByText('but did not tag it')).toBeVisible()
    await colleague.keyboard.press('1')
    await expect(colleague.getByText('4 reviewed by you', { exact: false })).not.toContainText('without a tag')
    await expect(colleague.getByText('4 reviewed by you')).toBeVisible()
  })

  await test.step('the agreement shows the counts and κ', async () => {
    await page.reload()
    await page.getByRole('button', { name: 'Show agreement' }).click()
    const dialog = page.getByRole('dialog', { name: 'Agreement between two reviewers' })
    await expect(dialog.getByText('Cohen’s κ 0.50')).toBeVisible()
    await expect(dialog.getByText('Both tagged 4 runs and chose the same tags for 3')).toBeVisible()
  })

  await test.step('the list finds the runs by tag, and a dispute stays beside the outcome', async () => {
    await page.goto(`/runs?experiment_id=${id}&tag=wrong+api`)
    const link = page.getByRole('region', { name: 'runs', exact: true }).getByRole('link', { name: /careful/ })
    await expect(link).toHaveCount(2)
    await link.first().click()
    await page.getByRole('button', { name: 'More about the run' }).click()
    await page.getByRole('menuitem', { name: 'Tag or note' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('The second test is wrong')
    await dialog.getByRole('button', { name: 'Dispute outcome' }).click()
    await page.keyboard.press('Escape')
    await expect(page.getByText(/says this run was solved/)).toBeVisible()
    await expect(page.getByText('Not solved, 1 of 2 tests passed')).toBeVisible()
  })
})

const tag = (page: Page, key: string) =>
  page.getByRole('region', { name: 'Tags' }).getByRole('button', { name: new RegExp(`^${key} `) })

/** Presses one number on each run, and goes to the next. */
async function review(page: Page, keys: readonly string[]) {
  for (const [index, key] of keys.entries()) {
    await expect(page.getByText(`Run ${index + 1} of ${keys.length}`)).toBeVisible()
    await expect(tag(page, key)).toHaveAttribute('aria-pressed', 'false')
    await page.keyboard.press(key)
    await expect(tag(page, key)).toHaveAttribute('aria-pressed', 'true')
    if (index < keys.length - 1) await page.keyboard.press('l')
  }
}
