import { expect, test } from './fixtures.ts'

const definition = (id: string) => `id: ${id}
name: Policed
agents: [{id: only, command: ["true"]}]
environments: [{id: open, network: true}]
tests: [{name: ends, command: ["true"]}]
`

test('an admin closes the network, and runs that need it are refused before they are submitted', async ({
  page,
  push,
}) => {
  const id = `policed-${Date.now()}`
  await push(definition(id))
  const choose = async (network: string) => {
    await page.goto('/settings/run-policy')
    await page.getByRole('radio', { name: network }).check()
    await page.getByRole('button', { name: 'Save policy' }).click()
    await expect(page.getByText(/Changed just now/)).toBeVisible()
    await page.reload()
    await expect(page.getByRole('radio', { name: network })).toBeChecked()
  }

  await test.step('faults are shown at their field, and nothing is saved', async () => {
    await page.goto('/settings')
    await page.getByRole('link', { name: 'Run policy' }).click()
    await page.getByRole('textbox', { name: 'Maximum duration' }).fill('0')
    await page.getByRole('button', { name: 'Save policy' }).click()
    await expect(page.getByRole('textbox', { name: 'Maximum duration' })).toHaveAttribute('aria-invalid', 'true')
  })

  await test.step('without a network the dialog says what is refused, and mock runs are allowed', async () => {
    await choose('Only allowed hosts')
    await page.goto(`/experiments/${id}?submit=1`)
    const dialog = page.getByRole('dialog', { name: 'Submit runs' })
    await expect(dialog.getByText('environments.open.network')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Submit 1 run' })).toBeDisabled()
    await dialog.getByRole('button', { name: 'Use mock runs' }).first().click()
    await expect(dialog.getByRole('button', { name: 'Submit 1 run' })).toBeEnabled()
  })

  await test.step('of two admins who edit it at once, the second sees what the first saved and loses no edit', async () => {
    const second = await page.context().newPage()
    for (const each of [page, second]) await each.goto('/settings/run-policy')
    await second.getByRole('textbox', { name: 'Maximum cost' }).fill('7')
    await page.getByRole('radio', { name: 'No network' }).check()
    await page.getByRole('textbox', { name: 'Maximum cost' }).fill('3')
    await page.getByRole('button', { name: 'Save policy' }).click()
    await expect.poll(async () => (await (await page.request.get('/admin/v1/run-policy')).json()).maxCostUsd).toBe(3)
    await second.getByRole('button', { name: 'Save policy' }).click()
    const notice = second.getByRole('region', { name: 'Someone else changed the policy while you were editing.' })
    await expect(notice).toContainText('Updated to their change: Network. You and someone else changed: Maximum cost.')
    await expect(second.getByRole('radio', { name: 'No network' })).toBeChecked()
    await expect(second.getByRole('textbox', { name: 'Maximum cost' })).toHaveValue('7')
    await notice.getByRole('button', { name: 'Discard my edits' }).click()
    await expect(second.getByRole('textbox', { name: 'Maximum cost' })).toHaveValue('3')
    await second.getByRole('textbox', { name: 'Maximum cost' }).fill('')
    await second.getByRole('button', { name: 'Save policy' }).click()
    await expect.poll(async () => (await (await page.request.get('/admin/v1/run-policy')).json()).maxCostUsd).toBe(null)
    await second.close()
  })

  await test.step('the change is in the audit log', async () => {
    await page.goto('/settings/audit?event=run-policy.set')
    await expect(page.getByRole('region', { name: 'events' }).getByText('Run policy changed').first()).toBeVisible()
  })

  await test.step('an open network allows them again', async () => {
    await choose('Any public address')
    await page.goto(`/experiments/${id}?submit=1`)
    await expect(page.getByRole('button', { name: 'Submit 1 run' })).toBeEnabled()
  })
})
