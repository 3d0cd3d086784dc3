import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'

import { Client } from 'undici'

import { pollInterval, requestPollMs } from '#src/api/polling.ts'
import { requestPageSize } from '#src/api/runs.ts'

export type WatchPlan = { url: string; requestId: string; cookies: string[]; seconds: number; seed: number }
export type WatchResult = { responses: number; unchanged: number; failed: number; unanswered: number; millis: number[] }

/**
 * Many browsers on one request's page, started by watching.ts. Each polls the request and its list of runs at the
 * page's own interval, revalidates its cache, and requests the changes since its last stamp.
 */
const result: WatchResult = { responses: 0, unchanged: 0, failed: 0, unanswered: 0, millis: [] }

/** The send times of the open requests. */
const open = new Map<symbol, number>()

process.once('message', (plan: WatchPlan) => void watchAll(plan))

async function watchAll(plan: WatchPlan) {
  const startedAt = performance.now()
  const until = startedAt + plan.seconds * 1000
  for (const cookie of plan.cookies) void watchOne(plan, { cookie, startedAt, until })
  await delay(plan.seconds * 1000)
  // An open poll has waited at least this long.
  const now = performance.now()
  result.unanswered = open.size
  for (const started of open.values()) result.millis.push(now - started)
  process.send?.(result, () => process.exit())
}

type Browser = { cookie: string; startedAt: number; until: number }

async function watchOne({ url, requestId }: WatchPlan, { cookie, startedAt, until }: Browser) {
  // People open the page one after another.
  await delay(Math.random() * 10_000)
  const client = new Client(url)
  const page = openPage(client, cookie)
  const pause = (atLeastMs?: number) => pollInterval(performance.now() - startedAt, 0, Math.random(), atLeastMs)
  const repeatedly = async (work: () => Promise<unknown>, interval: () => number = pause) => {
    while (performance.now() < until) {
      await work()
      await delay(Math.min(interval(), Math.max(0, until - performance.now())))
    }
  }
  let counts = ''
  const noteCounts = (text: string | undefined) => {
    const before = counts
    counts = /"statusCounts":\{[^}]*\}/.exec(text ?? '')?.[0] ?? counts
    return before !== '' && counts !== before
  }
  const list = page.list(`run_request_id=${requestId}&limit=${requestPageSize}`)
  const lookAtRuns = async () => {
    noteCounts(await list())
  }
  const lookAtRequest = async () => {
    if (noteCounts(await page.get(`/runs/${requestId}`))) await lookAtRuns()
  }
  await Promise.all([
    repeatedly(lookAtRequest, () => pause(requestPollMs)),
    repeatedly(lookAtRuns),
    repeatedly(
      () => page.get('/notifications?unread_only=true&page_size=100'),
      () => 30_000 + Math.random() * 5000,
    ),
  ])
}

/** One browser's HTTP cache: an entity tag and the text for every address. */
function openPage(client: Client, cookie: string) {
  const cache = new Map<string, { etag: string; text: string }>()

  const get = async (path: string) => {
    const known = cache.get(path)
    const headers = { cookie, 'accept-encoding': 'gzip', ...(known && { 'if-none-match': known.etag }) }
    const started = performance.now()
    const question = Symbol(path)
    open.set(question, started)
    try {
      const {
        statusCode,
        headers: received,
        body,
      } = await client.request({ method: 'GET', path: `/api/v1${path}`, headers })
      const bytes = Buffer.from(await body.arrayBuffer())
      result.millis.push(performance.now() - started)
      result.responses += 1
      if (statusCode === 304) {
        result.unchanged += 1
        return known?.text
      }
      if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`)
      const etag = String(received.etag)
      const text = textOf(etag, bytes, received['content-encoding'] === 'gzip')
      cache.set(path, { etag, text })
      return text
    } catch (error) {
      if (result.failed === 0) console.error(error)
      result.failed += 1
      return undefined
    } finally {
      open.delete(question)
    }
  }

  /** A list of runs. If the platform stamps it, only the changes since are requested. */
  const list = (query: string) => {
    let stamp: string | undefined
    return async () => {
      const path = `/runs?${query}${stamp === undefined ? '' : `&changed_since=${encodeURIComponent(stamp)}`}`
      const before = stamp
      const text = await get(path)
      stamp = /"stamp":"([^"]+)"/.exec(text?.slice(-400) ?? '')?.[1] ?? stamp
      if (stamp !== before) cache.delete(path)
      return text
    }
  }
  return { get, list }
}

const texts = new Map<string, string>()

/** All browsers get the same answers. Decompressing each one once keeps this process from being the bottleneck. */
function textOf(etag: string, bytes: Buffer, isPacked: boolean) {
  if (!isPacked) return bytes.toString()
  const known = texts.get(etag)
  if (known !== undefined) return known
  if (texts.size > 50) texts.clear()
  const text = gunzipSync(bytes).toString()
  texts.set(etag, text)
  return text
}
