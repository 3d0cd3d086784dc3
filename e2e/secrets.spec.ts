import { Buffer } from 'node:buffer'

import { expect, test } from './fixtures.ts'

const value = `sk-"live"/${'0123456789abcdef'.repeat(3)}+<&>`

const definition = (id: string, slug: string) => `
id: ${id}
name: ${id}
agents:
  - id: talks
    command: [bash, -c, 'echo "the key is $API_KEY"; printf %s "$API_KEY" | base64 -w0; echo; printf %s "$API_KEY" > left-behind.txt']
    env: {API_KEY: assay://secrets/${slug}}
tests: [{name: shows, command: [bash, -c, 'cat left-behind.txt; echo; echo to the error stream >&2; base64 left-behind.txt >&2; exit 1']}]
`

test('a secret is reported missing at submit, created there, used by a run, and masked in all output', async ({
  page,
  push,
}) => {
  test.slow()
  const slug = `key-${Date.now()}`
  const id = `talks-${Date.now()}`
  await push(definition(id, slug))
  const traffic: string[] = []
  page.context().on('response', (response) => {
    traffic.push(response.url())
    void response.text().then(
      (text) => traffic.push(text),
      () => {},
    )
  })

  await test.step('real runs are blocked and offer to create the missing secret', async () => {
    await page.goto(`/experiments/${id}?submit=1`)
    const dialog = page.getByRole('dialog', { name: 'Submit runs' })
    const notice = dialog.getByRole('region', { name: 'The selected runs need 1 secret that doesn’t exist.' })
    await expect(dialog.getByRole('button', { name: /^Submit \d/ })).toBeDisabled()
    const opened = page.waitForEvent('popup')
    await notice.getByRole('link', { name: `assay://secrets/${slug}` }).click()
    const beside = await opened
    const form = beside.getByRole('dialog', { name: 'New secret' })
    await expect(form.getByRole('textbox', { name: 'Slug' })).toHaveValue(slug)
    await form.getByRole('button', { name: 'Create' }).click()
    await expect(form.getByText('must not be empty')).toBeVisible()
    await form.getByRole('textbox', { name: 'Value' }).fill(`${value}\n`)
    await form.getByRole('button', { name: 'Remove' }).click()
    await form.getByRole('textbox', { name: 'Description' }).fill('Of the provider')
    await form.getByRole('button', { name: 'Create' }).click()
    const row = beside.getByRole('row', { name: new RegExp(slug) })
    await expect(row).toContainText('Of the provider')
    await expect(row.getByRole('link', { name: id })).toHaveAttribute('href', `/experiments/${id}/definition`)
    await expect(form).toHaveCount(0)
    await beside.close()
  })

  await test.step('after returning to the dialog the runs can be submitted', async () => {
    await page.reload()
    await page.getByRole('button', { name: 'Submit 1 run' }).click()
    await expect(page.getByText('1 of 1 run', { exact: true })).toBeVisible({ timeout: 60_000 })
  })

  await test.step('the transcript and the test output contain the mask instead of the value', async () => {
    const runs = await page.context().request.get(`/api/v1/runs?experiment_id=${id}`)
    const [run] = (await runs.json()).runs
    await page.goto(`/runs/${encodeURIComponent(run.id)}`)
    await expect(page.getByText(`the key is [secret:${slug}]`)).toBeVisible()
    await page.goto(`/runs/${encodeURIComponent(run.id)}?test=shows`)
    await expect(page.getByText(`[secret:${slug}]`).first()).toBeVisible()
    await expect(page.getByRole('region', { name: 'stderr' }).getByText('to the error stream')).toBeVisible()
  })

  await test.step('replace the secret; the form offers the old description and warns before clearing it', async () => {
    await page.goto('/secrets')
    await page.getByRole('searchbox', { name: 'Search secrets' }).fill(slug.toUpperCase())
    await expect(page).toHaveURL(/query=/)
    await expect(page.getByRole('button', { name: /^Replace / })).toHaveCount(1)
    await page.getByRole('button', { name: `Replace ${slug}` }).press('Enter')
    const form = page.getByRole('dialog', { name: `Replace ${slug}` })
    const description = form.getByRole('textbox', { name: 'Description' })
    await expect(description).toHaveValue('Of the provider')
    await expect(form.getByRole('textbox', { name: 'Value' })).toHaveValue('')
    await description.fill('')
    await expect(form.getByText('Leave empty to clear the current description')).toBeVisible()
    await form.getByRole('textbox', { name: 'Value' }).fill('a newer value')
    await form.getByRole('button', { name: 'Replace' }).click()
    await expect(form).toHaveCount(0)
    await expect(page.getByRole('row', { name: new RegExp(slug) })).not.toContainText('Of the provider')
  })

  await test.step('delete the secret after reading the consequences', async () => {
    await page.getByRole('button', { name: `Delete ${slug}` }).press('Enter')
    const question = page.getByRole('dialog', { name: `Delete the secret ${slug}?` })
    await expect(question).toContainText('1 experiment will no longer be able to start real runs')
    await expect(question.getByRole('listitem')).toHaveText([id])
    await question.getByRole('button', { name: 'Delete secret' }).click()
    await expect(page.getByText('No secrets match this search')).toBeVisible()
  })

  expect(traffic.length).toBeGreaterThan(10)
  for (const form of [
    value,
    JSON.stringify(value).slice(1, -1),
    Buffer.from(value).toString('base64'),
    encodeURIComponent(value),
  ])
    expect(traffic.filter((text) => text.includes(form))).toEqual([])
})
