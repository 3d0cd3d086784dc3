import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

import { type Page, expect, test } from './fixtures.ts'
import { hostileMarkdown } from './hostile-markdown.ts'
import { submitExperiment } from './submit-experiment.ts'

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

/** Clicks, hovers and focuses everything a reader could. Opens no other pages. Returns everything that should not be there. */
const tryEverything = (selector: string) => {
  const inert = (event: Event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link && /^(https?|mailto):$/.test(link.protocol)) event.preventDefault()
  }
  document.addEventListener('click', inert, true)
  const faults: string[] = []
  const roots = document.querySelectorAll(selector)
  if (roots.length === 0) faults.push(`nothing matches ${selector}`)
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) {
      // Pinning changes the report, and commenting takes the focus; other stories test them.
      if (element instanceof HTMLButtonElement) continue
      const isDrawing = element.closest('svg.tabler-icon, .rc svg, .katex svg') !== null
      const name = element.localName
      if (/^(script|iframe|object|embed|link|style|base|meta|form|portal|img|image|video|audio|frame)$/.test(name))
        faults.push(`<${name}>`)
      // Formulas are drawn with MathML for screen readers.
      if (name === 'math' && !element.closest('.katex')) faults.push('<math>')
      if ((name === 'svg' || name === 'use') && !isDrawing) faults.push(`<${name}>`)
      for (const { name: attribute, value } of element.attributes) {
        if (attribute.startsWith('on') || attribute === 'srcdoc') faults.push(`${name} ${attribute}`)
        if (
          attribute === 'name' ||
          (attribute === 'id' && !/user-content-|^(footnote-label$|mantine|_r_|cm-)/.test(value))
        )
          faults.push(`${name} ${attribute}=${value}`)
      }
      if (
        element instanceof HTMLAnchorElement &&
        element.hasAttribute('href') &&
        !/^(https?|mailto):$/.test(element.protocol)
      )
        faults.push(`href=${element.getAttribute('href')}`)
      // The icon of a button presses it too.
      if (element.closest('button')) continue
      for (const type of ['pointerover', 'mouseover', 'focus', 'click', 'toggle', 'error', 'load'])
        element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }))
    }
  }
  document.removeEventListener('click', inert, true)
  return faults
}

test.describe('hostile markdown with the content security policy turned off', () => {
  test.use({ bypassCSP: true })

  test('hostile markdown in a report runs no script and sends no request, even without the content security policy', async ({
    page,
    baseURL,
  }) => {
    test.setTimeout(300_000)
    const { executed, strayRequests } = await watch(page, baseURL ?? '')
    await page.goto('/reports?new=1')
    await page.getByRole('textbox', { name: 'Title' }).fill('Hostile')
    await page.keyboard.press('Enter')
    const text = page.getByRole('textbox', { name: 'Report text' })
    const preview = page.getByRole('region', { name: 'Preview' })
    await expect(text).toBeVisible()
    const address = page.url()
    const faults: string[] = []
    let tried = 0
    for (const [at, payload] of hostileMarkdown.entries()) {
      await text.focus()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText(`${payload}\n\nshown ${at}.`)
      await expect(preview).toContainText(`shown ${at}.`)
      const found = await page.evaluate(tryEverything, '[aria-label="Preview"]')
      faults.push(...found.map((fault) => `${JSON.stringify(payload)}: ${fault}`))
      tried += 1
    }
    // The same texts once saved, as other readers see them.
    await expect(page.getByRole('status').filter({ hasText: /^Saved/ })).toBeVisible()
    expect(page.url()).toBe(address)
    console.log(
      `report, policy off: tried ${tried}, executed ${await executed()}, asked elsewhere ${strayRequests.length}`,
    )
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

/** A separate page that renders every tag and address unsanitized, with or without the policy. */
async function openHarness(policy: string | null) {
  const server = createServer((request, response) => {
    const payload = hostileMarkdown[Number(new URL(request.url ?? '/', 'http://x').searchParams.get('payload') ?? NaN)]
    if (payload === undefined) return void response.writeHead(404).end()
    const html = micromark(payload, {
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    })
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      ...(policy && { 'content-security-policy': policy }),
    })
    response.end(`<!doctype html><main>${html}</main>`)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

for (const [name, hasPolicy] of [
  ['hostile markdown runs scripts when the content security policy is off too', false],
  ['the content security policy alone blocks every script', true],
] as const) {
  test(`without a sanitizer, ${name}`, async ({ page, context }) => {
    test.setTimeout(300_000)
    const policy = (await context.request.get('/')).headers()['content-security-policy'] ?? ''
    expect(policy).toContain('script-src')
    const harness = await openHarness(hasPolicy ? policy : null)
    let executed = 0
    await page.exposeFunction('hit', () => void (executed += 1))
    const ran = new Set<number>()
    for (const at of hostileMarkdown.keys()) {
      const before = executed
      await page.goto(`${harness.origin}/?payload=${at}`, { waitUntil: 'domcontentloaded' }).catch(() => undefined)
      await page.evaluate(tryEverything, 'main').catch(() => [])
      if (executed > before) ran.add(at)
    }
    harness.close()
    console.log(
      `no sanitizer, policy ${hasPolicy ? 'on' : 'off'}: tried ${hostileMarkdown.length}, executed ${ran.size}`,
    )
    if (hasPolicy) expect([...ran].map((at) => hostileMarkdown[at])).toEqual([])
    else expect(ran.size).toBeGreaterThan(40)
  })
}
