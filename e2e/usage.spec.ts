import { expect, test, waitUntilNothingRuns } from './fixtures.ts'

const definition = (id: string) => `id: ${id}
name: Used
agents: [{id: only, command: ["true"]}]
tests: [{name: ends, command: ["true"]}]
`

test('usage leads from a number to exactly its runs', async ({ page, push }) => {
  const id = `used-${Date.now()}`
  await push(definition(id))

  await test.step('two real runs and a mock run end', async () => {
    for (const address of [`/experiments/${id}?submit=1&repeat=2`, `/experiments/${id}?submit=1&mock=1`]) {
      await page.goto(address)
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Submit \d runs?$/ })
        .click()
      await expect(page).toHaveURL(/\/runs\//)
    }
    await waitUntilNothingRuns(page.context())
  })

  await test.step('an admin finds what they cost from Credits', async () => {
    await page.goto('/credits')
    await page.getByRole('link', { name: 'Usage', exact: true }).click()
    await page.getByLabel('Period').selectOption('Last 30 days')
    await page.getByLabel('Group by').selectOption('Experiment')
    const row = page.getByRole('region', { name: 'usage by experiment' }).getByRole('row').filter({ hasText: 'Used' })
    await expect(row.getByRole('cell').nth(1)).toHaveText('2')
    await expect(page.getByRole('figure', { name: 'Cost by day' })).toBeVisible()
  })

  await test.step('the row leads to the two runs, without the mock run', async () => {
    const usage = page.url()
    await page.getByRole('link', { name: 'Used', exact: true }).click()
    await expect(page.getByRole('link', { name: /^All 2$/ })).toBeVisible()
    await expect(page.getByRole('region', { name: 'runs', exact: true }).getByRole('row')).toHaveCount(3)
    await page.goBack()
    await expect(page).toHaveURL(usage)
  })

  await test.step('a bar leads to the runs of its day', async () => {
    const days = page.getByRole('figure', { name: 'Cost by day' }).getByRole('link', { name: /^\d+ \w+: / })
    await expect(days).toHaveCount(30)
    await days.last().press('Enter')
    await expect(page.getByRole('button', { name: /^Ended from / })).toBeVisible()
  })
})
