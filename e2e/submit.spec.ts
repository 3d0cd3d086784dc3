import { deleteSecret, putSecret } from '#contract/secrets.ts'
import { callAs } from './call-as.ts'
import { expect, test } from './fixtures.ts'

/** The paid agent reports the cost of its model in its last line; the free one costs only its compute. */
const definition = (id: string) => `id: ${id}
name: Priced
agents:
  - id: paid
    transcript: assay-jsonl
    command: [echo, '{"usage": {"inputTokens": 10, "outputTokens": 5, "costUsd": 0.25}}']
  - id: free
    command: ["true"]
prompts: [{id: short, text: S}, {id: long, text: L}]
tests: [{name: ends, command: ["true"]}]
flags: [{id: search, description: Web search, env: {SEARCH_KEY: assay://secrets/search}}]
`

test('the submit dialog selects a set of variants, shows the price with and without a history, and submits mock runs', async ({
  page,
  push,
}) => {
  const id = `priced-${Date.now()}`
  await push(definition(id))
  const dialog = page.getByRole('dialog', { name: 'Submit runs' })
  const variants = dialog.getByRole('region', { name: 'Variants' })

  const box = (name: string) => dialog.getByRole('checkbox', { name, exact: true })

  await test.step('deselecting an agent and a prompt leaves the variants that have neither', async () => {
    await page.goto(`/experiments/${id}`)
    await page.getByRole('link', { name: 'Submit runs' }).first().click()
    await expect(variants).toContainText('All 4 variants selected')
    await box('free').uncheck()
    await box('long').click()
    await expect(variants).toContainText('1 of 4 variants selected')
    await expect(box('paid · short')).toBeChecked()
    await expect(box('paid')).toBeChecked({ indeterminate: true })
  })

  await test.step('every variant can be selected on its own, and an empty selection cannot be submitted', async () => {
    await box('paid · short').uncheck()
    await expect(variants).toContainText('0 of 4 variants selected')
    await expect(dialog).toContainText('Select at least one variant')
    await expect(dialog.getByRole('button', { name: 'Submit 0 runs' })).toBeDisabled()
    await variants.getByRole('button', { name: 'Select all' }).click()
    await expect(variants).toContainText('All 4 variants selected')
    await variants.getByRole('button', { name: 'Clear' }).click()
    await box('paid').check()
    await box('free · long').check()
    await expect(variants).toContainText('3 of 4 variants selected')
    await expect(box('free')).toBeChecked({ indeterminate: true })
  })

  await test.step('too many repeats stay as typed, with the maximum beside them', async () => {
    const repeats = dialog.getByRole('textbox', { name: 'Repeats of each variant' })
    await repeats.fill('5000')
    await expect(dialog).toContainText('Enter at most 1,000')
    await expect(repeats).toHaveValue('5000')
    await expect(dialog.getByRole('button', { name: /^Submit / })).toBeDisabled()
    await repeats.fill('1')
  })

  await test.step('without a history there is no price, and the dialog offers mock runs', async () => {
    await expect(dialog).toContainText('No cost history for 3 of 3 variants')
    await dialog.getByRole('button', { name: 'Use mock runs (free)' }).click()
    await expect(dialog.getByRole('switch', { name: 'Mock runs' })).toBeChecked()
    await expect(dialog).toContainText('Mock runs are free')
    await dialog.getByRole('switch', { name: 'Mock runs' }).uncheck()
  })

  await test.step('a flag that needs a missing secret blocks real runs and allows mock runs', async () => {
    const notice = dialog.getByRole('region', { name: 'The selected runs need 1 secret that doesn’t exist.' })
    await expect(notice).toHaveCount(0)
    await dialog.getByRole('checkbox', { name: 'search' }).check()
    await expect(notice).toContainText('assay://secrets/search')
    await expect(dialog.getByRole('button', { name: /^Submit \d/ })).toBeDisabled()
    await expect(dialog).toContainText('Real runs need the missing secrets')
    await dialog.getByRole('checkbox', { name: 'search' }).uncheck()
  })

  await test.step('submit the runs', async () => {
    await dialog.getByRole('button', { name: 'Submit 3 runs' }).click()
    await expect(page.getByText('3 of 3 runs', { exact: true })).toBeVisible({ timeout: 90_000 })
  })

  await test.step('with a history the price is estimated from past runs, and variants without one are counted', async () => {
    await page.goto(`/experiments/${id}?submit=1&repeat=10`)
    // Runs that waited for a processor add a cent of compute.
    await expect(dialog).toContainText(/Estimate: \$5\.0\d typical \(P50\), \$5\.0\d high \(P90\)/)
    await expect(dialog).toContainText('No cost history for 1 of 4 variants')
    const holds = /Reserves \$([\d.]+) until the runs finish\. Available: \$/
    await expect(dialog).toContainText(holds)
    const heldFor = async (repeat: string) => {
      await dialog.getByRole('textbox', { name: 'Repeats of each variant' }).fill(repeat)
      await expect(dialog.getByRole('button', { name: `Submit ${4 * Number(repeat)} runs` })).toBeVisible()
      await expect(dialog).toContainText(holds)
      return Number(holds.exec(await dialog.innerText())?.[1])
    }
    // Runs of a moment cost fractions of a cent, and the dialog rounds both amounts to cents.
    const [held80, held40] = [await heldFor('80'), await heldFor('40')]
    expect(Math.abs(held80 - 2 * held40)).toBeLessThan(0.016)
    expect(held80).toBeGreaterThan(held40)
    await heldFor('10')
    await variants.getByRole('button', { name: 'Select all' }).waitFor({ state: 'hidden' })
    await dialog.getByRole('checkbox', { name: 'free', exact: true }).uncheck()
    await expect(dialog).toContainText(/Estimate: \$5\.0\d/)
    await expect(dialog).not.toContainText('No cost history')
  })

  await test.step('mock runs finish like real runs and are marked as mock', async () => {
    await dialog.getByRole('switch', { name: 'Mock runs' }).check()
    await dialog.getByRole('textbox', { name: 'Repeats of each variant' }).fill('1')
    await dialog.getByRole('button', { name: 'Submit 2 runs' }).click()
    await expect(page.getByText('Mock runs (simulated, free)')).toBeVisible()
    await expect(page.getByText('2 of 2 runs', { exact: true })).toBeVisible({ timeout: 30_000 })
  })

  await test.step('running one run again keeps its kind of run', async () => {
    await page
      .getByRole('link', { name: /, repeat 1: completed/ })
      .first()
      .click()
    await page.getByRole('link', { name: 'Run again' }).click()
    await expect(variants).toContainText('1 of 4 variants selected')
    await expect(dialog.getByRole('switch', { name: 'Mock runs' })).toBeChecked()
    await page.goBack()
    await page.goBack()
  })

  await test.step('submitting again repeats the same variants, repeat count and kind of run', async () => {
    await page.getByRole('link', { name: 'Submit again' }).click()
    await expect(variants).toContainText('2 of 4 variants selected')
    await expect(dialog.getByRole('checkbox', { name: 'paid', exact: true })).toBeChecked()
    await expect(dialog.getByRole('switch', { name: 'Mock runs' })).toBeChecked()
  })

  await test.step('a URL fills in the dialog by axis', async () => {
    await page.goto(`/experiments/${id}?submit=1&agent=free&prompt=long&repeat=4`)
    await expect(variants).toContainText('3 of 4 variants selected')
    await expect(dialog.getByRole('button', { name: 'Submit 12 runs' })).toBeVisible()
  })
})

test('the dialog shows a refused submission in view, even on a phone', async ({ page, push }) => {
  const [id, slug] = [`refused-${Date.now()}`, `key-${Date.now()}`]
  await push(`{id: ${id}, name: Refused, agents: [{id: a, command: ["true"], env: {KEY: "assay://secrets/${slug}"}}]}`)
  await callAs(page, putSecret, { slug, value: 'not empty' })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`/experiments/${id}?submit=1`)
  const dialog = page.getByRole('dialog', { name: 'Submit runs' })
  await expect(dialog.getByText('Available:')).toBeVisible()
  await callAs(page, deleteSecret, { slug })
  await dialog.getByRole('button', { name: 'Submit 1 run' }).click()
  const refusal = dialog.getByRole('alert')
  await expect(refusal).toContainText('No runs were submitted')
  await expect(refusal).toBeInViewport({ ratio: 1 })
  const [above, foot] = [await refusal.boundingBox(), await dialog.getByRole('contentinfo').boundingBox()]
  expect((above?.y ?? 740) + (above?.height ?? 740)).toBeLessThanOrEqual(foot?.y ?? 0)
})
