import { writeHeader } from '#contract/session.ts'
import { expect, type Page, test } from './fixtures.ts'

/** Types into the palette and chooses an entry. */
async function take(page: Page, words: string, entry: string | RegExp) {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByPlaceholder(/^Search experiments, runs/).fill(words)
  await page.getByRole('dialog').getByRole('button', { name: entry }).first().click()
}

test('the palette opens every page, finds any run by its id, and offers the actions of the current page', async ({
  page,
  context,
  baseURL,
  push,
}) => {
  test.slow()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  const id = `palette-${Date.now()}`
  await push(
    `{id: ${id}, name: ${id}, agents: [{id: a, command: [sleep, "90"]}], tests: [{name: t, command: ["true"]}]}`,
  )
  const post = async (path: string, data: object) => {
    const response = await page.request.post(`/api/v1${path}`, {
      headers: { [writeHeader]: '1', origin: baseURL ?? '' },
      data,
    })
    expect(response.ok(), await response.text()).toBe(true)
    return response.json()
  }
  const { runRequestId } = await post(`/experiments/${id}/runs`, { repeat: 2 })
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  await test.step('find the pages', async () => {
    for (const name of [
      'Context',
      'Notifications',
      'Secrets',
      'Credits',
      'Insights',
      'Reports',
      'Runs',
      'Experiments',
    ]) {
      await take(page, name, name)
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    }
  })

  await test.step('find a request by its id: copy its call as curl, and cancel its runs after confirming', async () => {
    await take(page, runRequestId, `Run ${runRequestId}`)
    await expect(page).toHaveURL(new RegExp(`/runs/${runRequestId}`))
    await expect(page.getByRole('button', { name: 'Cancel all' })).toBeVisible()
    await take(page, 'curl', 'Copy as curl')
    await expect.poll(copied).toContain(`/api/v1/runs/${runRequestId}`)
    await take(page, 'Cancel', 'Cancel 2 runs')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel 2 runs' }).click()
    await expect(page.getByRole('link', { name: 'Canceled 2' })).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByPlaceholder(/^Search experiments, runs/).fill('Cancel 2')
    await expect(page.getByRole('dialog').getByRole('button', { name: /^Cancel \d/ })).toHaveCount(0)
    await page.keyboard.press('Escape')
  })

  await test.step('find an insight and publish it', async () => {
    const provenance = { kind: 'experiment', experimentId: id }
    const { insight } = await post('/insights', {
      heading: 'How many',
      slug: id,
      sql: 'SELECT count() FROM runs',
      provenance,
    })
    await page.goto(`/insights/${insight.reference}`)
    await expect(page.getByRole('button', { name: 'Publish' })).toBeVisible()
    await take(page, 'share', 'Share How many')
    await expect(page.getByRole('dialog', { name: 'Publish' })).toContainText('Anyone with the link can see this')
  })
})
