import { request } from 'node:http'

import { inject } from 'vitest'

import { writeHeader } from '#contract/session.ts'

type Answer = { status: number; body: Buffer; headers: [string, string][] }

/** A browser's connection to a server: it keeps the session's cookie and sends the headers that a page of ours sends. */
export function openBrowser({ url = inject('served').url, userAgent = 'Mozilla/5.0' } = {}) {
  const cookies = new Map<string, string>()

  const ask = (path: string, { method = 'GET', headers = {}, body }: RequestInit = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const ours = {
        cookie,
        'user-agent': userAgent,
        origin: url,
        'sec-fetch-site': 'same-origin',
        connection: 'close',
      }
      const sent = request(new URL(path, url).href, { method, headers: { ...(headers as object), ...ours } })
      sent.once('error', reject)
      sent.once('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', reject)
        response.once('end', () => {
          for (const line of response.headers['set-cookie'] ?? []) {
            const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
            cookies.set(name, value)
          }
          const named = Object.entries(response.headers).map(
            ([name, value]) => [name, String(value)] as [string, string],
          )
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks), headers: named })
        })
      })
      sent.end(body as string | undefined)
    })

  return {
    /** Stands in for the page's `fetch`, which cannot send cookies to another origin. */
    async fetch(path: string, init: RequestInit = {}) {
      const { status, body, headers } = await ask(path, init)
      init.signal?.throwIfAborted()
      const hasBody = status !== 204 && status !== 304
      return new Response(hasBody ? new Uint8Array(body) : null, { status, headers })
    },

    /** Sends what a page would, and returns the parsed answer; any refusal is an error. */
    async send(method: string, path: string, data?: unknown) {
      const headers = { [writeHeader]: '1', ...(data !== undefined && { 'content-type': 'application/json' }) }
      const { status, body } = await ask(path, { method, headers, body: JSON.stringify(data) })
      const text = body.toString()
      if (status >= 400) throw new Error(`${method} ${path} answered ${status}: ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    },
  }
}

export type Browser = ReturnType<typeof openBrowser>
