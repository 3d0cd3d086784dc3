import { createServer } from 'node:http'

import type { BrowserContext } from '@playwright/test'

import { expect, type Page, test } from './fixtures.ts'
import { submitExperiment } from './submit-experiment.ts'

const definition = (id: string) => `id: ${id}
name: Asked about
agents:
  - { id: good, command: ["true"] }
  - { id: bad, command: ["false"] }
tests:
  - { name: ends, command: ["true"] }
  - { name: fails, command: ["false"] }
`

const question = 'SELECT outcome, count() AS captured FROM tests GROUP BY outcome ORDER BY outcome'

/** A page on another origin that embeds an address. */
async function openFrameAt(context: BrowserContext, url: string) {
  const host = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(
      `<!doctype html><title>A blog</title><iframe src="${url}" width="360" height="480" title="Result"></iframe>`,
    )
  })
  await new Promise<void>((listening) => host.listen(0, 'localhost', listening))
  const address = host.address()
  const page = await context.newPage()
  await page.goto(`http://localhost:${typeof address === 'object' && address ? address.port : 0}/`)
  return { page, result: page.frameLocator('iframe[title="Result"]'), close: () => host.close() }
}

/** Replaces the whole text, as a person would. */
async function writeSql(page: Page, sql: string) {
  const editor = page.getByRole('textbox', { name: 'SQL' })
  await editor.click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(sql)
}

test('a user queries an experiment, saves the query, publishes it, embeds it on another site, and deletes it', async ({
  page,
  browser,
}) => {
  test.setTimeout(300_000)
  const id = `asked-${Date.now()}`
  await submitExperiment(page, { id, yaml: definition(id) })
  const strangers = await browser.newContext()
  const complaints: string[] = []
  for (const context of [page.context(), strangers]) {
    context.on('console', (message) => {
      if (/content security policy/i.test(message.text())) complaints.push(message.text())
    })
  }

  await test.step('open the query page from the experiment; an SQL error names its line', async () => {
    await page.goto(`/experiments/${id}`)
    await page.getByRole('region', { name: 'Insights' }).getByRole('link', { name: 'New query' }).click()
    await expect(page.getByRole('textbox', { name: 'SQL' })).toContainText('FROM runs')
    await writeSql(page, 'SELECT outcome,\n  count(*) AS captured,\n  avg(duration)\nFROM tests GROUP BY outcome')
    await page.keyboard.press('ControlOrMeta+Enter')
    const notice = page.getByRole('alert')
    await expect(notice).toContainText('Invalid query')
    await notice.getByRole('button', { name: 'Line 3, column 7' }).click()
    await page.keyboard.press('Delete')
    await expect(page.getByRole('textbox', { name: 'SQL' })).toContainText('avg(uration)')
  })

  await test.step('validate the query, then run it', async () => {
    await writeSql(page, question)
    await page.getByRole('button', { name: 'Dry run' }).click()
    await expect(page.getByRole('region', { name: 'Dry run' })).toContainText('outcome Enum8')
    await page.getByRole('button', { name: /^Run/ }).click()
    await expect(page.getByRole('row', { name: 'passed 2' })).toBeVisible()
    await expect(page.getByRole('row', { name: 'failed 2' })).toBeVisible()
  })

  await test.step('draw a chart; a pasted link shows the same chart', async () => {
    await page.getByRole('radiogroup', { name: 'Show as' }).getByText('Chart').click()
    await expect(page.getByRole('application', { name: /^Bar chart of captured by outcome, 2 marks/ })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('application', { name: /^Bar chart of captured by outcome, 2 marks/ })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'SQL' })).toContainText(question)
  })

  await test.step('save the query under a name', async () => {
    await page.getByRole('button', { name: 'Save as insight' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as insight' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('must not be blank')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Title' }).fill(`Outcomes of ${id}`)
    await dialog.getByRole('textbox', { name: 'Description' }).fill('How the tests ended.')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { name: `Outcomes of ${id}` })).toBeVisible()
    await expect(page.getByRole('application', { name: /^Bar chart of captured by outcome/ })).toBeVisible()
  })
  const insight = page.url()

  const address = await test.step('publish it after a look at the public preview', async () => {
    await page.getByRole('button', { name: 'Publish' }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish' })
    await expect(dialog).toContainText('You can only revoke it by deleting the insight.')
    const preview = dialog.getByRole('region', { name: 'Public preview' })
    await expect(preview.getByRole('heading', { name: `Outcomes of ${id}` })).toBeVisible()
    await expect(preview.getByRole('application', { name: /^Bar chart/ })).toBeVisible()
    await dialog.getByRole('button', { name: 'Publish to anyone with the link' }).click()
    const shared = page.getByRole('dialog', { name: 'Public link' })
    await expect(shared.getByRole('textbox', { name: 'Embed code' })).toHaveValue(/^<iframe src="http/)
    return shared.getByRole('textbox', { name: 'Link', exact: true }).inputValue()
  })

  const stranger = await strangers.newPage()
  await test.step('an anonymous visitor reads it and gets no cookie', async () => {
    await stranger.goto(address)
    await expect(stranger.getByRole('heading', { name: `Outcomes of ${id}` })).toBeVisible()
    await expect(stranger.getByText('How the tests ended.')).toBeVisible()
    await expect(stranger.getByText('Demo', { exact: true })).toBeVisible()
    await expect(stranger.getByText(/^Experiment: Asked about · Published /)).toBeVisible()
    await expect(
      stranger.getByRole('application', { name: /^Bar chart of captured by outcome, 2 marks/ }),
    ).toBeVisible()
    await stranger.getByText('Table', { exact: true }).click()
    await expect(stranger.getByRole('row', { name: 'passed 2' })).toBeVisible()
    expect(await strangers.cookies()).toEqual([])
  })

  const framed = await openFrameAt(strangers, `${address}?theme=dark`)
  await test.step('a page of another site shows it in a frame', async () => {
    await expect(framed.result.getByRole('heading', { name: `Outcomes of ${id}` })).toBeVisible()
    await expect(framed.result.getByRole('application', { name: /^Bar chart/ })).toBeVisible()
    expect(await strangers.cookies()).toEqual([])
  })

  await test.step('delete it; the dialog warns about the loss, and both public pages say it is gone', async () => {
    await page.goto(insight)
    await page.getByRole('button', { name: 'Delete' }).click()
    const asked = page.getByRole('alertdialog')
    await expect(asked).toContainText('Its public link and every page that embeds it stop working immediately')
    await asked.getByRole('button', { name: 'Delete insight' }).click()
    await expect(page.getByRole('heading', { name: 'Insights' })).toBeVisible()
    expect((await stranger.reload())?.status()).toBe(404)
    await expect(stranger.getByRole('heading', { name: 'This page isn’t available' })).toBeVisible()
    await framed.page.reload()
    await expect(framed.result.getByRole('heading', { name: 'This page isn’t available' })).toBeVisible()
    await page.goto(insight)
    await expect(page.getByRole('heading', { name: `Outcomes of ${id}` })).toHaveCount(0)
  })
  framed.close()
  await strangers.close()
  expect(complaints).toEqual([])
})
