import { expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

const definition = (id: string) => `id: ${id}
name: Boil an egg
agents:
  - id: hasty
    command: [bash, -c, "echo 'The water boils.'; echo 'I take the egg out.'; echo 2 > minutes.txt"]
  - id: patient
    command: [bash, -c, "echo 'The water is cold.'; echo 'The water boils.'; echo 'The egg stays in.'; echo 'I take the egg out.'; echo 7 > minutes.txt"]
tests:
  - name: there is an egg
    command: [test, -s, minutes.txt]
  - name: the egg is hard
    command: [bash, -c, "grep -qx 7 minutes.txt || { echo 'the egg is soft' >&2; exit 1; }"]
`

test('two runs side by side: from a failure to where the same test passed', async ({ page }) => {
  test.setTimeout(120_000)
  const id = `egg-${Date.now()}`
  const { requestId, runs } = await submitExperiment(page, { id, yaml: definition(id), repeat: 2 })

  await test.step('from the failing test', async () => {
    await page.goto(`/runs/${encodeURIComponent(runs[0]?.id ?? '')}`)
    await page.getByRole('link', { name: 'Compare with patient #1, where it passed' }).click()
    await expect(page.getByRole('heading', { name: 'Compare two runs' })).toBeVisible()
    await expect(page.getByRole('row', { name: 'Agent differs hasty patient' })).toBeVisible()
    await expect(page.getByRole('row', { name: 'Repeat #1 #1' })).toBeVisible()
  })

  await test.step('tests by name, the one that differs first and open', async () => {
    await expect(page.getByText('1 of 2 came out differently')).toBeVisible()
    const tests = page.getByRole('region', { name: 'Tests' }).getByRole('button')
    await expect(tests.first()).toHaveAccessibleName(/differs.*the egg is hard.*failed.*passed/)
    await expect(tests.first()).toHaveAttribute('aria-expanded', 'true')
    await expect(page.getByText('the egg is soft')).toBeVisible()
  })

  await test.step('one search steps through both conversations', async () => {
    await page.getByRole('searchbox', { name: 'Find in the transcript' }).fill('egg')
    await expect(page.getByText('1 found | 2 found')).toBeVisible()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect(page.getByText('1 of 1 | 2 of 2')).toBeVisible()
    const right = page.getByRole('region', { name: 'Transcript, right' })
    await right.getByRole('link', { name: 'Link to turn 2' }).click()
    await expect(page).toHaveURL(/rightTurn=2/)
  })

  await test.step('another run on the right; the address holds both', async () => {
    await page.getByRole('combobox', { name: 'Right run' }).click()
    await page.getByRole('option', { name: /^hasty #2/ }).click()
    await expect(page.getByRole('row', { name: 'Repeat differs #1 #2' })).toBeVisible()
    await expect(page.getByText('0 of 2 came out differently')).toBeVisible()
    await page.reload()
    await expect(page.getByRole('row', { name: 'Repeat differs #1 #2' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('row', { name: 'Agent differs hasty patient' })).toBeVisible()
  })

  await test.step('from the run page, choosing among its request', async () => {
    await page.goto(`/runs/${encodeURIComponent(runs[2]?.id ?? '')}`)
    await page.getByRole('link', { name: 'Compare with…' }).click()
    await expect(page.getByText('Choose the run to compare with')).toBeVisible()
    await page.getByRole('combobox', { name: 'Right run' }).click()
    await page.getByRole('option', { name: /^patient #2/ }).click()
    await expect(page.getByRole('row', { name: /^Repeat differs/ })).toBeVisible()
  })

  await test.step('from the request page, two squares chosen by keyboard', async () => {
    await page.goto(`/runs/${requestId}`)
    const square = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}: completed`) })
    await page.getByRole('button', { name: 'Choose runs to compare' }).press('Enter')
    await square('hasty, repeat 1').press('Space')
    await expect(page.getByRole('link', { name: 'Compare the two' })).toHaveCount(0)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await square('patient, repeat 2').press('Space')
    await page.getByRole('link', { name: 'Compare the two' }).press('Enter')
    await expect(page.getByRole('row', { name: 'Agent differs hasty patient' })).toBeVisible()
    await expect(page.getByRole('row', { name: 'Repeat differs #1 #2' })).toBeVisible()
  })
})
