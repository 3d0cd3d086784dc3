import { writeHeader } from '#contract/session.ts'
import type { Journal } from './journal.ts'

export type Answer = { status: number; json: Record<string, unknown> }

const patienceMs = 25_000

/** A signed-in person who sends requests through the BFF. Nothing is sent twice: a write without an answer stays unknown. */
export function openBrowser(url: string, apiKey: string, journal: Journal) {
  let cookie: string | null = null

  async function send(method: string, path: string, body?: unknown): Promise<Answer & { cookies: string[] }> {
    const headers = { [writeHeader]: '1', origin: url, 'content-type': 'application/json', cookie: cookie ?? '' }
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(patienceMs),
      })
      const text = await response.text()
      const cookies = response.headers.getSetCookie()
      return { status: response.status, json: parse(text), cookies }
    } catch {
      return { status: 0, json: {}, cookies: [] }
    }
  }

  async function signIn() {
    const { status, cookies } = await send('POST', '/session', { apiKey })
    if (status < 300 && status > 0) cookie = cookies.map((each) => each.split(';')[0]).join('; ')
  }

  return async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
    if (cookie === null) await signIn()
    if (cookie === null) return { status: 0, json: {} }
    const { status, json } = await send(method, `/api/v1${path}`, body)
    journal.answered(`${method} ${status === 0 ? 'without an answer' : status}`)
    if (status === 401) {
      cookie = null
      journal.surprises.push(`A session was lost: ${JSON.stringify(json)}`)
    }
    if (status === 500 || status === 400)
      journal.surprises.push(`${method} ${path} answered ${status}: ${JSON.stringify(json)}`)
    return { status, json }
  }
}

export type Ask = ReturnType<typeof openBrowser>

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}
