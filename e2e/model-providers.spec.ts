import { signInWithKey } from './call-as.ts'
import { expect, test } from './fixtures.ts'
import { newPerson } from './new-person.ts'

const definition = (id: string) => `id: ${id}
name: Priced
agents: [{id: only, command: ["true"]}]
models: [claude-sonnet-4-5, gpt-5]
tests: [{name: ends, command: ["true"]}]
`

test('an admin says which models runs may use and what they cost, and other models are refused with the reason', async ({
  page,
  browser,
  push,
}) => {
  const id = `priced-${Date.now()}`
  await push(definition(id))
  const policyNow = async () => (await page.request.get('/admin/v1/run-policy')).json()
  const open = async () => {
    await page.goto('/settings')
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Model providers' }).click()
  }

  await test.step('a fault of a price is shown at its field, and nothing is saved', async () => {
    await open()
    await page.getByRole('button', { name: 'Add a price' }).click()
    await page.getByRole('textbox', { name: 'Model', exact: true }).fill('our-tuned-model')
    await page.getByRole('textbox', { name: 'Input' }).fill('-1')
    await page.getByRole('textbox', { name: 'Output' }).fill('12')
    await page.getByRole('button', { name: 'Save policy' }).click()
    await expect(page.getByRole('textbox', { name: 'Input' })).toHaveAttribute('aria-invalid', 'true')
    expect((await policyNow()).ownPrices).toEqual([])
  })

  await test.step('limits and prices are saved', async () => {
    await page.getByRole('textbox', { name: 'Input' }).fill('3')
    await page.getByRole('combobox', { name: 'Google' }).selectOption('Not allowed')
    await page.getByRole('radio', { name: 'Only the models listed here' }).check()
    await page.getByRole('textbox', { name: 'Allowed models' }).fill('claude-sonnet-4-5')
    await expect(page.getByText('Other providers are refused while only the listed models are allowed')).toBeVisible()
    await page.getByRole('button', { name: 'Save policy' }).click()
    await expect.poll(async () => (await policyNow()).allowedModels).toEqual(['claude-sonnet-4-5'])
    await page.reload()
    await expect(page.getByRole('textbox', { name: 'Allowed models' })).toHaveValue('claude-sonnet-4-5')
    await expect(page.getByRole('combobox', { name: 'Google' })).toHaveValue('none')
    await expect(page.getByRole('textbox', { name: 'Output' })).toHaveValue('12')
  })

  await test.step('of two admins, the second sees what the first saved and loses no edit', async () => {
    const { apiKey } = await newPerson({ demo: 'admin' })
    const context = await browser.newContext()
    const second = await context.newPage()
    await signInWithKey(second, apiKey)
    await second.goto('/settings/model-providers')
    await second.getByRole('textbox', { name: 'Allowed models' }).fill('claude-sonnet-4-5\ngpt-5-mini')
    await page.getByRole('combobox', { name: 'OpenAI' }).selectOption('Only your own keys')
    await page.getByRole('button', { name: 'Save policy' }).click()
    await expect.poll(async () => (await policyNow()).providers.openai).toBe('own')
    await second.getByRole('button', { name: 'Save policy' }).click()
    const notice = second.getByRole('region', { name: 'Someone else changed the policy while you were editing.' })
    await expect(notice).toContainText('Updated to their change: Providers.')
    await expect(second.getByRole('combobox', { name: 'OpenAI' })).toHaveValue('own')
    await expect(second.getByRole('textbox', { name: 'Allowed models' })).toHaveValue(/gpt-5-mini/)
    await notice.getByRole('button', { name: 'Discard my edits' }).click()
    await expect(second.getByRole('textbox', { name: 'Allowed models' })).toHaveValue('claude-sonnet-4-5')
    await context.close()
  })

  await test.step('a provider gets a monthly budget', async () => {
    await page.getByRole('link', { name: 'Credits' }).last().click()
    await page.getByRole('link', { name: 'New budget' }).click()
    const dialog = page.getByRole('dialog', { name: 'New budget' })
    await dialog.getByRole('combobox', { name: 'Applies to' }).selectOption('Runs that use one provider’s models')
    await dialog.getByRole('combobox', { name: 'Provider' }).click()
    await page.getByRole('option', { name: 'Anthropic' }).click()
    await dialog.getByLabel('Limit per calendar month').fill('25')
    await dialog.getByRole('button', { name: 'Save budget' }).click()
    const row = page
      .getByRole('region', { name: 'monthly budgets', exact: true })
      .getByRole('row', { name: /Anthropic/ })
    await expect(row).toContainText('Runs that use this provider’s models')
    await row.getByRole('button', { name: /^Delete the budget/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete budget' }).click()
    await expect(row).toHaveCount(0)
  })

  await test.step('the submit dialog says which model is refused, and mock runs are allowed', async () => {
    await page.goto(`/experiments/${id}?submit=1`)
    const dialog = page.getByRole('dialog', { name: 'Submit runs' })
    await expect(dialog.getByText('the model gpt-5 is not allowed')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Submit 2 runs' })).toBeDisabled()
    await dialog.getByRole('button', { name: 'Use mock runs' }).first().click()
    await expect(dialog.getByRole('button', { name: 'Submit 2 runs' })).toBeEnabled()
  })

  await test.step('without limits every model is allowed again', async () => {
    await open()
    await page.getByRole('radio', { name: 'Any model of an allowed provider' }).check()
    for (const provider of ['Google', 'OpenAI'])
      await page.getByRole('combobox', { name: provider }).selectOption('Any key')
    await page.getByRole('button', { name: /^Remove the price of/ }).click()
    await page.getByRole('button', { name: 'Save policy' }).click()
    await expect.poll(async () => (await policyNow()).models).toBe('any')
    expect((await policyNow()).ownPrices).toEqual([])
    await page.goto(`/experiments/${id}?submit=1`)
    await expect(page.getByText('the model gpt-5 is not allowed')).toHaveCount(0)
  })
})
