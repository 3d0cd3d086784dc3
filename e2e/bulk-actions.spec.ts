import { type Page, expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

const definition = (id: string) => `id: ${id}
name: Many at once
agents: [{id: careful, command: ["true"]}, {id: hasty, command: ["false"]}]
tests: [{name: ends, command: ["sh", "-c", "test \\"$ASSAY_AGENT\\" != hasty"]}, {name: holds, command: ["true"]}]
`

const hanging = (id: string) => `id: ${id}
name: Hangs
agents: [{id: hangs, command: [sleep, "600"]}]
tests: [{name: ends, command: ["true"]}]
`

const box = (page: Page, name: RegExp) => page.getByRole('checkbox', { name }).first()
const bar = (page: Page) => page.getByRole('region', { name: 'Selected runs' })

test('a person tags some runs, exports them, and runs again what failed', async ({ page }) => {
  const id = `bulk-${Date.now()}`
  const { runs } = await submitExperiment(page, { id, yaml: definition(id), repeat: 3 })
  const errored = runs.filter(({ status }) => status === 'errored').length
  await page.goto(`/runs?experiment_id=${id}&sort=-run`)

  await test.step('select a range with Shift, and a row with the keyboard', async () => {
    await box(page, /^Select hasty #3$/).click()
    await box(page, /^Select hasty #1$/).click({ modifiers: ['Shift'] })
    await expect(bar(page)).toContainText('3 selected')
    await box(page, /^Select careful #1$/).focus()
    await page.keyboard.press('Space')
    await expect(bar(page)).toContainText('4 selected')
    await expect(bar(page).getByRole('button', { name: 'Cancel…' })).toHaveAttribute(
      'title',
      'Every selected run has ended',
    )
  })

  await test.step('tag them, and find them by the tag', async () => {
    await bar(page).getByRole('button', { name: 'Tag…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Tag runs' })
    await dialog.getByRole('textbox', { name: 'Tag' }).fill(`Seen ${id}`)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('button', { name: `Add tag “seen ${id}” to 4 runs` }).click()
    await expect(dialog.getByText('4 of 4 runs, all done')).toBeVisible()
    await dialog.getByRole('link', { name: 'Show the runs of this action' }).click()
    await expect(page.getByRole('checkbox', { name: /^Select (careful|hasty)/ })).toHaveCount(4)
  })

  await test.step('export two selected runs', async () => {
    await page.goto(`/runs?experiment_id=${id}&sort=-run`)
    await box(page, /^Select careful #1$/).click()
    await box(page, /^Select careful #2$/).click()
    await bar(page).getByRole('button', { name: 'Export…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Export runs' })
    await expect(dialog.getByText('2 selected runs')).toBeVisible()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('runs.csv')
  })

  await test.step('run again what failed, of all that match', async () => {
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click()
    await expect(bar(page)).toContainText('6 selected')
    await bar(page).getByRole('button', { name: 'Run what failed…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Run again' })
    await expect(dialog.getByText('Left out: 3 solved')).toBeVisible()
    await dialog.getByText('Errored', { exact: true }).click()
    await expect(
      dialog.getByText(errored > 0 ? `Run ${errored} runs again` : 'None of these runs qualifies').first(),
    ).toBeVisible()
    await dialog.getByText('Unsolved or errored', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Run 3 runs again' }).click()
    await expect(dialog.getByText('3 of 3 runs, all queued')).toBeVisible()
    await dialog.getByText('New request:').getByRole('link').click()
    await expect(page.getByRole('heading', { name: '1 variant × 3 repeats' })).toBeVisible()
  })
})

test('a colleague sees what a bulk action would cancel, and that only admins delete', async ({
  page,
  colleague,
  push,
}) => {
  const id = `bulk-hangs-${Date.now()}`
  await push(hanging(id))
  await page.goto(`/experiments/${id}?submit=1&repeat=12`)
  await page.getByRole('button', { name: 'Submit 12 runs' }).click()
  await expect(page.getByRole('heading', { name: '1 variant × 12 repeats' })).toBeVisible()
  await colleague.setViewportSize({ width: 360, height: 740 })
  await colleague.goto(`/experiments/${id}/runs`)
  await box(colleague, /^Select hangs #12$/).click()
  await expect(bar(colleague).getByRole('button', { name: 'Delete imported…' })).toHaveAttribute(
    'title',
    'Only admins can delete imported runs',
  )
  await bar(colleague).getByRole('button', { name: 'Select all 12 that match' }).click()
  await expect(bar(colleague)).toContainText('All 12 runs that match')
  await bar(colleague).getByRole('button', { name: 'Cancel…' }).click()
  const dialog = colleague.getByRole('dialog', { name: 'Cancel runs' })
  await expect(dialog.getByText('Running agents are stopped')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel 12 runs' }).click()
  await expect(dialog.getByText('12 of 12 runs, all done')).toBeVisible()
  const tabs = page.getByRole('navigation', { name: 'Runs by status' })
  await expect(tabs.getByRole('link', { name: 'Canceled 12' })).toBeVisible({ timeout: 120_000 })
})
