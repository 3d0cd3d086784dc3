import { CreditBalance } from '#contract/credits.ts'
import { expect, test } from './fixtures.ts'

test('a top-up opens the payment page, waits for the payment, and shows the credit in the balance', async ({
  page,
  context,
}) => {
  await page.goto('/credits')
  const topped = page.getByRole('list', { name: 'Credit in spending order' }).getByText('Top-up credit')
  await expect(page.getByRole('list', { name: 'Credit in spending order' })).toContainText('Base credit')
  await expect(topped).toHaveCount(0)

  await test.step('the amount field reports an amount that the platform would refuse', async () => {
    await page.getByRole('link', { name: 'Top up' }).click()
    await page.getByRole('textbox', { name: 'Amount in US dollars' }).fill('4.99')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await expect(page.getByText('must be between 5 and 5000 USD')).toBeVisible()
  })

  await test.step('the payment page says it is a test; after leaving it, the credits page waits for the payment', async () => {
    await page.getByRole('textbox', { name: 'Amount in US dollars' }).fill('40')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await expect(page.getByRole('heading', { name: 'Test payment' })).toBeVisible()
    await expect(page.getByText('$40.00')).toBeVisible()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await expect(page.getByRole('region', { name: 'Waiting for payment of $40.00.' })).toBeVisible()
  })

  await test.step('a payment in another tab adds the credit in this tab without a reload', async () => {
    const payment = await context.newPage()
    const href = await page.getByRole('link', { name: 'Open payment page' }).getAttribute('href')
    await payment.goto(href ?? '')
    await payment.getByRole('button', { name: 'Make the test payment' }).click()
    await expect(payment.getByRole('region', { name: 'Payment received.' })).toContainText('$40.00')
    await payment.close()
    await expect(topped).toBeVisible()
    await expect(page.getByRole('region', { name: /^Waiting for payment/ })).toHaveCount(0)
  })

  await test.step('the payment is listed, without a receipt, because nobody was charged', async () => {
    await page.reload()
    const row = page
      .getByRole('region', { name: 'payments and receipts' })
      .getByRole('row')
      .filter({ hasText: '$40.00' })
    await expect(row.getByRole('cell').first()).toHaveText('Paid')
    await expect(row.getByRole('button')).toHaveCount(0)
    await expect(page.getByText('Stripe is not set up, so payments are tests: nobody is charged')).toBeVisible()
  })

  const response = await context.request.get('/api/v1/credits/balance')
  expect(CreditBalance.parse(await response.json()).paidBalanceMicros).toBe('40000000')
})
