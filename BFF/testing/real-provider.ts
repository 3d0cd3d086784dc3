import type { AddressInfo } from 'node:net'
import { createServer } from 'node:http'

import { Provider } from 'oidc-provider'
import { onTestFinished } from 'vitest'

import { clientId, clientSecret } from './stub-provider.ts'

/**
 * A certified provider with its own login pages. The name typed there becomes the subject, and the email has the same
 * name.
 */
export async function startRealProvider(redirectUri: string) {
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    cookies: { keys: ['a key of the test'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@lab.example`, email_verified: true }),
    }),
  })
  const handle = provider.callback()
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })

  return { issuer, signInThere: (url: string, name: string) => signInThere(url, name, redirectUri) }
}

/** Follows the provider's pages like a browser, up to the redirect back. */
async function signInThere(url: string, name: string, redirectUri: string) {
  const cookies = new Map<string, string>()
  let next = url
  let form: URLSearchParams | undefined
  for (let step = 0; step < 12; step += 1) {
    const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join('; ')
    const body = form && { method: 'POST', body: form }
    const answer = await fetch(next, { ...body, headers: { cookie }, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(key, value)
    }
    const location = answer.headers.get('location')
    form = undefined
    if (location?.startsWith(redirectUri)) return Object.fromEntries(new URL(location).searchParams)
    if (location) next = new URL(location, next).href
    else {
      const page = await answer.text()
      const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page) ?? []
      const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(page) ?? []
      next = new URL(action, next).href
      form = new URLSearchParams(prompt === 'login' ? { prompt, login: name, password: 'any' } : { prompt })
    }
  }
  throw new Error(`The provider never redirected ${name} back`)
}
