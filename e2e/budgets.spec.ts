import { expect, test } from './fixtures.ts'

const definition = (id: string) => `id: ${id}
name: Budgeted
agents: [{id: only, command: ["true"]}]
tests: [{name: ends, command: ["true"]}]
`

test('a hard budget of an experiment refuses real runs, and deleting it allows them again', async ({ page, push }) => {
  const id = `budgeted-${Date.now()}`
  await push(definition(id))
  const budgets = page.getByRole('region', { name: 'monthly budgets', exact: true })

  await test.step('an admin sets it', async () => {
    await page.goto('/credits')
    await page.getByRole('link', { name: 'New budget' }).click()
    const dialog = page.getByRole('dialog', { name: 'New budget' })
    await dialog.getByRole('combobox', { name: 'Applies to' }).selectOption('Runs of one experiment')
    await dialog.getByRole('combobox', { name: 'Experiment' }).fill(id)
    await page.getByRole('option', { name: `Budgeted (${id})` }).click()
    await dialog.getByRole('checkbox', { name: 'Hard limit' }).check()
    await dialog.getByRole('button', { name: 'Save budget' }).click()
    await expect(dialog.getByText('must be more than 0')).toBeVisible()
    // Less than the two minutes of compute that one run reserves.
    await dialog.getByLabel('Limit per calendar month').fill('0.001')
    await dialog.getByRole('button', { name: 'Save budget' }).click()
    await expect(budgets.getByRole('row').filter({ hasText: 'Budgeted' })).toContainText(
      'Runs of this experiment, hard',
    )
  })

  await test.step('real runs are refused with the reason, and mock runs are not', async () => {
    await page.goto(`/experiments/${id}?submit=1`)
    const dialog = page.getByRole('dialog', { name: 'Submit runs' })
    await dialog.getByRole('button', { name: 'Submit 1 run' }).click()
    await expect(
      dialog.getByText(/the monthly budget of this experiment has \$0\.0010 left of \$0\.0010/),
    ).toBeVisible()
    await dialog.getByRole('switch', { name: 'Mock runs' }).check()
    await dialog.getByRole('button', { name: 'Submit 1 run' }).click()
    await expect(page).toHaveURL(/\/runs\//)
  })

  await test.step('delete it, and real runs start', async () => {
    await page.goto('/credits')
    await budgets.getByRole('button', { name: 'Delete the budget of Budgeted' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete budget' }).click()
    await expect(budgets.getByRole('row').filter({ hasText: 'Budgeted' })).toHaveCount(0)
    await page.goto(`/experiments/${id}?submit=1`)
    await page.getByRole('button', { name: 'Submit 1 run' }).click()
    await expect(page).toHaveURL(/\/runs\//)
  })
})
