import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Webhook } from 'standardwebhooks'

import { createReport, updateReport } from '#contract/reports.ts'
import { callAs } from './call-as.ts'
import { expect, test } from './fixtures.ts'

type Received = { headers: Record<string, string>; body: string }

/** A receiver that answers with `status` and notes what it got. */
async function startReceiver() {
  const received: Received[] = []
  const receiver = { status: 200, received, url: '', stop: async () => {} }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    received.push({ headers, body: Buffer.concat(chunks).toString('utf8') })
    response.writeHead(receiver.status).end('noted')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`
  receiver.stop = () => new Promise((done) => server.close(() => done()))
  return receiver
}

test('an admin adds a webhook, tests it, and finds every delivery in its log, even after failures', async ({
  page,
}) => {
  test.slow()
  const receiver = await startReceiver()
  const name = `Build ${Date.now()}`
  await page.goto('/settings/general')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('link', { name: 'New webhook' }).click()
  const form = page.getByRole('dialog', { name: 'New webhook' })
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  await form.getByRole('textbox', { name: 'Address' }).fill('https://10.0.0.1/in')
  await form.getByRole('button', { name: 'Add webhook' }).click()
  await expect(form.getByText('must lead to a public address: it is a private address')).toBeVisible()
  await form.getByRole('textbox', { name: 'Address' }).fill(receiver.url)
  await form.getByText('Some', { exact: true }).click()
  await form.getByRole('button', { name: 'Add webhook' }).click()
  await expect(form.getByText('must have at least one type')).toBeVisible()
  await form.getByRole('checkbox', { name: 'Reports edited' }).check()
  await form.getByRole('button', { name: 'Add webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'The signing secret' })
  const secret = await dialog.getByRole('textbox', { name: `Secret of “${name}”` }).inputValue()
  await dialog.getByRole('button', { name: 'I have saved the secret' }).click()
  await page.getByRole('link', { name: new RegExp(name) }).click()

  await page.getByRole('button', { name: 'Send test' }).click()
  const delivery = page.getByRole('dialog', { name: 'Delivery' })
  await expect(delivery.getByText('It answered 200')).toBeVisible()
  await expect(delivery.getByText('noted')).toBeVisible()
  await expect(delivery.getByText('webhook.test')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row', { name: /Test.*Delivered/ })).toBeVisible()

  receiver.status = 503
  const title = `Told ${Date.now()}`
  const { report } = await callAs(page, createReport, { title, bodyMarkdown: 'One.' })
  const edit = { title, bodyMarkdown: 'Two.', expectedUpdatedAt: report.updatedAt }
  await callAs(page, updateReport, { reportId: report.id, ...edit })
  await expect(page.getByText(/Failing since/)).toBeVisible()
  await page
    .getByRole('row', { name: /Reports edited.*Waiting/ })
    .getByRole('link')
    .click()
  await expect(delivery.getByText('It answered 503').first()).toBeVisible()
  receiver.status = 200
  await delivery.getByRole('button', { name: 'Try now' }).click()
  await expect(delivery.getByText('It answered 200')).toBeVisible()
  const accepted = receiver.received.at(-1)
  expect(new Webhook(secret).verify(accepted?.body ?? '', accepted?.headers ?? {})).toMatchObject({
    type: 'report.updated',
    data: { text: expect.stringContaining(`edited ${title}`) },
  })
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('dialog', { name: 'The new secret' }).getByRole('button', { name: 'I have saved' }).click()
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText('Paused.')).toBeVisible()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible()
  await expect(page.getByText(name)).toHaveCount(0)
  await receiver.stop()
})
