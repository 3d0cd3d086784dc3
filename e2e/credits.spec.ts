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

test('the submit dialog shows the available credit beside the price', async ({ page }) => {
  await page.goto('/experiments/csv-summary?submit=1')
  await expect(page.getByText('Available:')).toBeVisible()
})

test.describe('credits for a member', () => {
  test.use({ person: 'member' })

  test('a member sees their own spend and no disabled button', async ({ page }) => {
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    await page.goto('/credits?by=user')
    await expect(page.getByText('Only admins can see and top up the balance.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Balance' })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Top up' })).toHaveCount(0)
    await expect(page.getByText('By person')).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'Spend on your own runs' })).toBeVisible()
    await expect(page.getByRole('button').and(page.locator(':disabled'))).toHaveCount(0)

    await page.goto('/experiments/csv-summary?submit=1')
    await expect(page.getByText('Only admins can see the balance.')).toBeVisible()
    await page.goto('/')
    await expect(page.getByText('Spent by your own runs')).toBeVisible()
    expect(refused).toEqual([])
  })
})
