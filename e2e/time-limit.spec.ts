import { expect, test } from './fixtures.ts'

const definition = (id: string) => `# Written by hand: the comment stays.
id: ${id}
name: Slow but right
agents:
  - {id: slow, command: [bash, -c, "sleep 4.5; echo done > answer.txt"]}
tests: [{name: answers, command: [test, -s, answer.txt]}]
limits:
  maxTimeSeconds: 4
`

test('a user follows the guidance of a timed-out run, raises the limit, and the test passes', async ({
  page,
  push,
}) => {
  const id = `slow-${Date.now()}`
  await push(definition(id))

  await test.step('the run times out, and the page says what to do', async () => {
    await page.goto(`/experiments/${id}?submit=1`)
    await page.getByRole('button', { name: 'Submit 1 run' }).click()
    const guidance = page.getByRole('region', { name: 'Timed out after 4 s' })
    await expect(guidance).toContainText('Raise limits.maxTimeSeconds to 8', { timeout: 30_000 })
  })

  await test.step('the count links to the timed-out run', async () => {
    await page.getByRole('definition').filter({ hasText: /^1$/ }).getByRole('link').click()
    await expect(page).toHaveURL(/\/runs\?run_request_id=.*timed_out=true/)
    await expect(page.getByRole('link', { name: /^slow/ })).toHaveCount(1)
    await page.goBack()
  })

  await test.step('one click opens the editor with the raised limit and the rest unchanged', async () => {
    await page.getByRole('link', { name: 'Raise the limit to 8 s' }).click()
    await expect(page).toHaveURL(new RegExp(`/experiments/${id}/definition$`))
    const editor = page.getByRole('textbox', { name: 'Experiment definition, YAML' })
    await expect(editor).toContainText('maxTimeSeconds: 8')
    await expect(editor).toContainText('# Written by hand')
  })

  await test.step('push and submit: two clicks open the dialog with the new version', async () => {
    await page.getByRole('button', { name: 'Push as v2' }).click()
    await page.getByRole('link', { name: 'Submit v2' }).click()
    await expect(page.getByRole('dialog').getByRole('combobox', { name: 'Version' })).toHaveValue(/^[0-9a-f]{64}$/)
    await page.getByRole('button', { name: 'Submit 1 run' }).click()
    await expect(page.getByText('1 of 1 run', { exact: true })).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText('1 passed of 1').first()).toBeAttached()
    await expect(page.getByRole('region', { name: /Timed out/ })).toHaveCount(0)
  })
})
