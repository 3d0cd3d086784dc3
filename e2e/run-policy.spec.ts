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
