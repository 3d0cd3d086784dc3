import { expect, test } from './fixtures.ts'

const definition = (id: string, command: string) => `id: ${id}
name: Watched
agents: [{id: writer, command: [sh, -c, "${command}"]}]
prompts: [{id: short, text: S}, {id: long, text: L}]
tests: [{name: wrote the file, command: [test, -f, done]}]
`

test('a schedule runs each new version, notifies its owner of a drop, and compares with the drop once it is accepted', async ({
  page,
  push,
}) => {
  const id = `watched-${Date.now()}`
  const table = page.getByRole('region', { name: 'starts', exact: true })
  await push(definition(id, 'true'))

  await test.step('create it in the submit dialog, keeping what was chosen there', async () => {
    await page.goto(`/experiments/${id}?submit=1`)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Repeats of each variant').fill('5')
    await dialog.getByText('On a schedule').click()
    await expect(page.getByRole('dialog', { name: 'New schedule' })).toBeVisible()
    await expect(dialog.getByLabel('Repeats of each variant')).toHaveValue('5')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Every push')
    await expect(dialog.getByText(/^Next: /)).toBeVisible()
    await dialog.getByRole('combobox', { name: 'Starts' }).selectOption('After each new version')
    await expect(dialog.getByRole('combobox', { name: 'Version' })).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Save schedule' }).click()
    await expect(page.getByRole('heading', { name: 'Every push', level: 1 })).toBeVisible()
    await expect(page.getByText('Nothing started yet')).toBeVisible()
  })

  await test.step('a push starts it, and the first result has nothing to compare with', async () => {
    await push(definition(id, 'touch done'))
    await expect(table.getByRole('row')).toHaveCount(2, { timeout: 60_000 })
    await expect(table).toContainText('10/10', { timeout: 60_000 })
    await expect(table).toContainText('Inconclusive')
  })

  await test.step('a version that fails is a suspected drop; run again, it is confirmed, and the owner is notified', async () => {
    await push(definition(id, 'echo broken'))
    await expect(page.getByText('Drop, confirmed.')).toBeVisible({ timeout: 120_000 })
    await expect(table).toContainText('Confirms the drop')
    await expect(table).toContainText('−100.0 points')
    await page.goto('/notifications')
    const notice = page.getByRole('link', { name: 'Every push: the solved rate dropped by 100.0 points' })
    await notice.click()
    await expect(page).toHaveURL(/\/runs\//)
  })

  await test.step('accept the drop, pause the schedule and change it', async () => {
    await page.goto(`/experiments/${id}/schedules`)
    await page.getByRole('link', { name: /^Every push/ }).click()
    await table.getByRole('button', { name: 'Accept' }).click()
    await expect(table).toContainText('Drop, accepted')
    await page.getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit schedule' })
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Every push')
    await expect(dialog.getByLabel('Repeats of each variant')).toHaveValue('5')
    await dialog.getByRole('combobox', { name: 'Starts' }).selectOption('Other times (cron)')
    await dialog.getByRole('textbox', { name: 'Cron expression' }).fill('*/5 * * * *')
    await dialog.getByRole('button', { name: 'Save schedule' }).click()
    await expect(dialog.getByText('must not match more often than once an hour')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Cron expression' }).fill('0 */6 * * *')
    await dialog.getByRole('button', { name: 'Save schedule' }).click()
    await expect(page.getByText('Cron 0 */6 * * *')).toBeVisible()
  })

  await test.step('delete it; its runs stay', async () => {
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete schedule' }).click()
    await expect(page).toHaveURL(new RegExp(`/experiments/${id}/schedules$`))
    await expect(page.getByText('No schedules yet')).toBeVisible()
    await page.goto(`/experiments/${id}`)
    await expect(page.getByText('30 runs', { exact: true }).first()).toBeVisible()
  })
})
