import { expect, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

const prompts = Array.from({ length: 9 }, (_, index) => `  - { id: task-${index}, text: Task ${index} }`).join('\n')

/** Both agents write a file; only in the second version does a test tell them apart. */
const definition = (id: string, command: string) => `id: ${id}
name: Who writes
agents:
  - { id: careful, command: [bash, -c, "echo careful > who"] }
  - { id: hasty, command: [bash, -c, "echo hasty > who"] }
prompts:
${prompts}
tests:
  - { name: writes, command: [test, -s, who] }
  - { name: signs its work, command: [bash, -c, "${command}"] }
`

test('the overview answers which agent is best, and leads to the pair, the runs and the change since the last version', async ({
  page,
}) => {
  test.setTimeout(300_000)
  const id = `best-${Date.now()}`
  await submitExperiment(page, { id, yaml: definition(id, 'true'), repeat: 2 })

  await test.step('where no run differs, nobody is named best', async () => {
    await page.goto(`/experiments/${id}`)
    await expect(page.getByText('No clear winner: careful and hasty cannot be told apart.')).toBeVisible()
  })

  await submitExperiment(page, { id, yaml: definition(id, 'grep -q careful who'), repeat: 2 })

  await test.step('the overview names the winner of the latest version, without a click', async () => {
    await page.goto(`/experiments/${id}`)
    await expect(page.getByRole('region', { name: 'Answer' })).toContainText(
      /careful is best: it solves 100 % of its runs\..*\+100\.0 points.*over hasty.*Yes/,
    )
    await expect(page.getByRole('row', { name: /careful 1 100\.0 %/ })).toBeVisible()
    await expect(page.getByRole('application', { name: 'Solved rate over 2 versions, 2 groups' })).toBeVisible()
  })

  await test.step('a baseline shows every other group’s difference', async () => {
    await page.goto(`/experiments/${id}/results`)
    await page.getByRole('combobox', { name: 'Baseline' }).selectOption({ label: 'Baseline: careful' })
    await expect(page.getByRole('row', { name: /hasty/ })).toContainText('−100.0 points')
  })

  await test.step('the chart shows the same rates, and solved tasks against time where no cost is recorded', async () => {
    await page.getByRole('radiogroup', { name: 'Show as' }).getByText('Chart').click()
    await expect(page).toHaveURL(/as=chart/)
    const rates = page.getByRole('region', { name: 'Solved by group' })
    await expect(rates.getByText(/^(careful: 100 %|hasty: 0 %)/)).toHaveText([/^careful: 100 %/, /^hasty: 0 %/])
    await expect(page.getByRole('figure', { name: 'Solved vs. time p50, 2 groups' })).toBeVisible()
    await page.getByRole('combobox', { name: 'Rate' }).selectOption('Test pass rate')
    await expect(page.getByRole('region', { name: 'Test pass rate by group' })).toContainText('hasty: 50 %')
    await page.getByRole('radiogroup', { name: 'Show as' }).getByText('Table').click()
    await expect(page).not.toHaveURL(/as=/)
  })

  await test.step('on a phone, each row names its group beside its rate', async () => {
    const size = page.viewportSize() ?? { width: 1440, height: 900 }
    await page.setViewportSize({ width: 360, height: 760 })
    const name = page.getByRole('row', { name: /hasty/ }).getByRole('link')
    expect((await name.boundingBox())?.width).toBeGreaterThan(60)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    await page.setViewportSize(size)
  })

  await test.step('a row leads to its runs', async () => {
    await page.getByRole('row', { name: /hasty/ }).getByRole('link').click()
    await expect(page.getByRole('complementary', { name: 'Runs of the group' }).getByText('18 runs')).toBeVisible()
  })

  await test.step('two picked rows lead to their comparison by solved tasks', async () => {
    for (const name of ['careful', 'hasty']) await page.getByRole('checkbox', { name: `Compare ${name}` }).check()
    await page.getByRole('link', { name: 'Compare the two' }).click()
    await expect(page.getByRole('region', { name: 'careful vs hasty' }).getByRole('status').first()).toContainText(
      'careful scores 100 points higher than hasty in solved rate on prompts like these',
    )
  })

  await test.step('the trends name the test that fails since the second version', async () => {
    await page.getByRole('navigation', { name: 'Results' }).getByRole('link', { name: 'Trends' }).click()
    const flips = page.getByRole('region', { name: 'regressions and fixes' })
    await expect(
      flips.getByRole('row', {
        name: /signs its work hasty v2: fails 18 of 18 v1: 0 of 18 yes, corrected p < ?0\.001/,
      }),
    ).toBeVisible()
  })
})
