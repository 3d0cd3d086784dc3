import type { BrowserContext, Page } from '@playwright/test'

import { RunDetail } from '#contract/runs.ts'
import { writeHeader } from '#contract/session.ts'
import { openBrowser, openWindow } from './browser.ts'
import { startProgram } from './program.ts'
import { report } from './result.ts'

/**
 * Scrolls a transcript of 10,000 turns, of which half are the agent's Markdown and the last is a megabyte, and an empty
 * page of the same height in the same browser. The last column is the target: the ratio of missed frames.
 */
const frames = 600
/** A quick turn of a wheel: two screens in three frames. */
const pixelsPerFrame = 600
const missedMs = 25

const definition = `id: bench-transcript
name: A long talk
agents:
  - { id: talker, command: [node, agents/talker.mjs], transcript: assay-jsonl }
files:
  - dest: agents/talker.mjs
    content: |
      const print = (line) => console.log(JSON.stringify(line))
      const said = (turn) => '## Step ' + turn + '\\n\\nI changed \`parse\` in **roman.mjs**:\\n\\n- it reads each *numeral*\\n- it refuses what is none, see [the docs](https://example.com)\\n\\n\`\`\`js\\nexport const parse = (text) => text.length\\n\`\`\`\\n\\nThe tests come next, and then what is left of them.'
      for (let turn = 1; turn <= 10000; turn += 4) {
        print({ role: 'assistant', kind: 'message', text: said(turn) })
        print({ role: 'assistant', kind: 'tool_call', tool: 'shell', text: 'look ' + turn })
        print({ role: 'tool', kind: 'tool_result', tool: 'shell', text: 'hay\\nhay' })
        print({ role: 'assistant', kind: 'message', text: turn === 9997 ? 'a word '.repeat(150000) : said(turn + 1) })
      }
`

const program = await startProgram()
const { url } = program
const browser = await openBrowser()
const context = await openWindow(browser, program)
const runId = await makeRun(context)
const transcript = `/runs/${encodeURIComponent(runId)}`
const page = await context.newPage()

const rows = []
rows.push(['an empty page', await scroll(page, () => emptyPage(page))] as const)
rows.push(['10,000 turns, rendered', await scroll(page, () => openTranscript(page, transcript))] as const)
rows.push(['10,000 turns, back over them', await scroll(page, async () => {}, -pixelsPerFrame)] as const)
await page.evaluate(() => localStorage.setItem('assay.transcript.plain', 'true'))
rows.push(['10,000 turns, as written', await scroll(page, () => openTranscript(page, transcript))] as const)
rows.push(['through the megabyte', await scroll(page, () => openMegabyte(page, transcript))] as const)
rows.push(['an empty page again', await scroll(page, () => emptyPage(page))] as const)
await browser.close()
await program.stop()

const empty = rows.filter(([what]) => what.startsWith('an empty page')).map(([, times]) => missed(times))
const floor = Math.max(1, empty.reduce((sum, count) => sum + count, 0) / empty.length)
console.table(
  rows.map(([what, times]) => ({
    what,
    'frame p50, ms': at(times, 0.5),
    p95: at(times, 0.95),
    p99: at(times, 0.99),
    longest: at(times, 1),
    'fps p50': round(1000 / at(times, 0.5)),
    'fps p5': round(1000 / at(times, 0.95)),
    [`over ${missedMs} ms of ${frames}`]: missed(times),
    'to the empty page': round(missed(times) / floor),
  })),
)

report(
  rows.map(([what, times]) => ({
    what: `transcript, frames missed: ${what}`,
    unit: 'frames',
    ours: missed(times),
    floor,
  })),
)

async function emptyPage(page: Page) {
  await page.goto('/sign-in')
  await page.evaluate(() => {
    document.body.innerHTML = '<div data-transcript><div><p></p></div></div>'
    const [list, content] = document.querySelectorAll<HTMLElement>('[data-transcript] > div, p')
    // The page's policy forbids style attributes, but not styles that a script sets.
    if (list) Object.assign(list.style, { height: '700px', overflow: 'auto' })
    if (content) content.style.height = '2000000px'
  })
}

async function openTranscript(page: Page, address: string) {
  await page.goto(address)
  await page.getByRole('article', { name: 'Turn 1, assistant' }).waitFor()
  await page.getByText(/^10,000 turns/).waitFor()
}

async function openMegabyte(page: Page, address: string) {
  await page.goto(`${address}?turn=10000`)
  await page.getByRole('button', { name: /^Show all/ }).click()
  await page.getByRole('button', { name: /^Show all/ }).waitFor({ state: 'detached' })
  await page.evaluate(() => {
    const list = document.querySelector('[data-transcript] > div')
    if (list) list.scrollTop -= 4000
  })
}

/** Scrolls the list once per frame, and returns the time of each frame. */
async function scroll(page: Page, open: () => Promise<void>, step = pixelsPerFrame): Promise<number[]> {
  await open()
  await page.waitForTimeout(1000)
  return page.evaluate(
    ({ frames, step }) =>
      new Promise<number[]>((resolve) => {
        const list = document.querySelector('[data-transcript] > div')
        const times: number[] = []
        let before = 0
        const next = (now: number) => {
          if (before > 0) times.push(now - before)
          before = now
          if (list) list.scrollTop += step
          if (times.length < frames) requestAnimationFrame(next)
          else resolve(times)
        }
        requestAnimationFrame(next)
      }),
    { frames, step },
  )
}

async function makeRun(context: BrowserContext): Promise<string> {
  const headers = { [writeHeader]: '1', origin: url }
  const post = async (path: string, data: object) => {
    const response = await context.request.post(path, { headers, data })
    if (!response.ok()) throw new Error(`POST ${path} answered ${response.status()}: ${await response.text()}`)
    return response.json()
  }
  await post('/api/v1/experiments', { experimentYaml: definition })
  const { runRequestId } = await post('/api/v1/experiments/bench-transcript/runs', {})
  for (;;) {
    const response = await context.request.get(`/api/v1/runs?run_request_id=${runRequestId}`)
    const [run] = (await response.json()).runs
    const { id, status } = RunDetail.pick({ id: true, status: true }).parse(run)
    if (status === 'completed') return id
    if (status === 'errored' || status === 'canceled') throw new Error(`The run that writes the transcript ${status}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

function missed(times: readonly number[]) {
  return times.filter((time) => time > missedMs).length
}

function at(times: readonly number[], share: number) {
  const sorted = times.toSorted((a, b) => a - b)
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN)
}

function round(value: number) {
  return Math.round(value * 10) / 10
}
