import { createOwnKey } from '#contract/api-keys.ts'
import { type SessionState as State, SessionState, writeHeader } from '#contract/session.ts'
import type { HttpClient } from '#client/api/http-client.ts'
import { CommandError } from '#client/exit-codes.ts'

type Opening = { url: string; secret: string; name: string }

/**
 * Uses the secret that `npm start` printed as a browser does: it admits this program once, which signs in as the demo's
 * admin and makes itself a key.
 */
export async function openDemo(fetch: HttpClient, { url, secret, name }: Opening): Promise<string> {
  const cookies = new Map<string, string>()

  async function post(path: string, body: unknown): Promise<unknown> {
    const headers = {
      [writeHeader]: '1',
      origin: new URL(url).origin,
      'content-type': 'application/json',
      cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
    }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    for (const sent of answer.headers.getSetCookie()) {
      const [, cookie = '', value = ''] = /^([^=]+)=([^;]*)/.exec(sent) ?? []
      cookies.set(cookie, value)
    }
    const text = await answer.text()
    const content: unknown = text === '' ? undefined : JSON.parse(text)
    if (answer.ok) return content
    throw new CommandError(
      path === '/session/demo-link'
        ? 'This link was used before, or is not the one that npm start printed last'
        : `The demo could not be opened: ${text.slice(0, 300)}`,
    )
  }

  await post('/session/demo-link', { secret })
  const state: State = SessionState.parse(await post('/session/demo', { person: 'admin' }))
  if (!state.signedIn) throw new CommandError('The demo did not sign this program in')
  const { key } = createOwnKey.response.parse(await post(createOwnKey.base + createOwnKey.path, { name }))
  return key
}
