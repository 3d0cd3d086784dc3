import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

import { atLength } from '#tools/test-length.ts'
import { type Page, expect, test } from './fixtures.ts'
import { hostileMarkdown } from './hostile-markdown.ts'
import { tryEverything } from './try-everything.ts'
import { submitExperiment } from './submit-experiment.ts'

/** One of three texts with its number. The transcript has them all, drawn by the same component. */
const someOfThem = [...hostileMarkdown.entries()].filter(([at]) => at % atLength(3, 1) === 0)

type Watch = { executed: () => Promise<number>; strayRequests: string[] }

/** Counts executed scripts and requests to other servers. There must be none. */
async function watch(page: Page, origin: string): Promise<Watch> {
  const strayRequests: string[] = []
  let dialogs = 0
  let hits = 0
  await page.exposeFunction('hit', () => void (hits += 1))
  page.on('dialog', (dialog) => {
    dialogs += 1
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    if (/^(https?|wss?|ftp):$/.test(protocol) && asked !== origin) strayRequests.push(request.url())
  })
  return { executed: async () => hits + dialogs, strayRequests }
}

test.describe('hostile markdown with the content security policy turned off', () => {
  test.use({ bypassCSP: true })

  test('hostile markdown in a report runs no script and sends no request, even without the content security policy', async ({
    page,
    baseURL,
    newReport,
  }) => {
    test.setTimeout(300_000)
    const { executed, strayRequests } = await watch(page, baseURL ?? '')
    await page.goto(`/reports/${await newReport({ title: 'Hostile' })}?edit=1`)
    const text = page.getByRole('textbox', { name: 'Report text' })
    const preview = page.getByRole('region', { name: 'Preview' })
    await expect(text).toBeVisible()
    const address = page.url()
    const faults: string[] = []
    for (const [at, payload] of someOfThem) {
      await text.focus()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText(`${payload}\n\nshown ${at}.`)
      await expect(preview).toContainText(`shown ${at}.`)
      const found = await page.evaluate(tryEverything, '[aria-label="Preview"]')
      faults.push(...found.map((fault) => `${JSON.stringify(payload)}: ${fault}`))
    }
    // The same texts once saved, as other readers see them.
    await expect(page.getByRole('status').filter({ hasText: /^Saved/ })).toBeVisible()
    expect(page.url()).toBe(address)
    expect(faults).toEqual([])
    expect([await executed(), strayRequests]).toEqual([0, []])
  })

  test('hostile markdown in a transcript runs no script and sends no request, even without the content security policy', async ({
    page,
    baseURL,
  }) => {
    test.setTimeout(300_000)
    const id = `hostile-${Date.now()}`
    const turns = hostileMarkdown.map((payload, at) =>
      JSON.stringify({ role: 'assistant', kind: 'message', text: `shown ${at}.\n\n${payload}` }),
    )
    const yaml = JSON.stringify({
      id,
      name: 'Hostile',
      agents: [{ id: 'a', command: ['cat', 'turns.jsonl'], transcript: 'assay-jsonl' }],
      files: [{ dest: 'turns.jsonl', content: `${turns.join('\n')}\n` }],
      tests: [{ name: 'ends', command: ['true'] }],
    })
    const { runs } = await submitExperiment(page, { id, yaml })
    const { executed, strayRequests } = await watch(page, baseURL ?? '')
    await page.goto(`/runs/${encodeURIComponent(runs[0]?.id ?? '')}?pane=transcript`)
    const pane = page.getByRole('region', { name: 'Transcript' })
    await expect(pane.getByText('shown 0.')).toBeVisible()
    await pane.getByText('shown 0.').hover()
    const seen = new Set<string>()
    const faults: string[] = []
    const look = async () => {
      faults.push(...(await page.evaluate(tryEverything, '[aria-label="Transcript"] [dir="auto"]')))
      for (const words of await pane.getByText(/shown \d+\./).allTextContents())
        for (const [found] of words.matchAll(/shown \d+\./g)) seen.add(found)
    }
    await expect
      .poll(
        async () => {
          await look()
          await page.mouse.wheel(0, 400)
          return seen.size
        },
        { timeout: 240_000, intervals: [20] },
      )
      .toBe(hostileMarkdown.length)
    console.log(
      `transcript, policy off: tried ${seen.size}, executed ${await executed()}, asked elsewhere ${strayRequests.length}`,
    )
    expect(faults).toEqual([])
    expect([await executed(), strayRequests]).toEqual([0, []])
  })
})

/** A page that renders every tag and address of a text unsanitized, with or without the policy. */
async function openHarness(policy: string) {
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', 'http://x').searchParams
    const payload = hostileMarkdown[Number(asked.get('payload') ?? NaN)]
    if (payload === undefined) return void response.writeHead(404).end()
    const html = micromark(payload, {
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    })
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      ...(asked.has('policy') && { 'content-security-policy': policy }),
    })
    response.end(`<!doctype html><main>${html}</main>`)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** The texts among these that run a script in this page, each in a document of its own. */
async function findRunning(page: Page, texts: Iterable<number>, addressOf: (at: number) => string) {
  let executed = 0
  await page.exposeFunction('hit', () => void (executed += 1))
  const ran: number[] = []
  for (const at of texts) {
    const before = executed
    await page.goto(addressOf(at), { waitUntil: 'domcontentloaded' }).catch(() => undefined)
    await page.evaluate(tryEverything, 'main').catch(() => [])
    if (executed > before) ran.push(at)
  }
  return ran
}

test('without a sanitizer, hostile markdown runs scripts, and the content security policy alone blocks every one', async ({
  page,
  context,
}) => {
  test.setTimeout(300_000)
  const policy = (await context.request.get('/')).headers()['content-security-policy'] ?? ''
  expect(policy).toContain('script-src')
  const { origin, close } = await openHarness(policy)
  const tried = someOfThem.map(([at]) => at)
  const running = await findRunning(page, tried, (at) => `${origin}/?payload=${at}`)
  expect(running.length).toBeGreaterThan(atLength(13, 40))
  const guarded = await context.newPage()
  const passed = await findRunning(guarded, running, (at) => `${origin}/?payload=${at}&policy`)
  close()
  expect(passed.map((at) => hostileMarkdown[at])).toEqual([])
})
