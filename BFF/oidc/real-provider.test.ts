import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { openPeople } from './people.ts'
import { startRealProvider } from '#bff/testing/real-provider.ts'
import { startBff } from '#bff/testing/start-bff.ts'
import { knownKey } from '#bff/testing/stub-platform.ts'
import { clientId, clientSecret } from '#bff/testing/stub-provider.ts'
import { freePort } from '#tools/free-port.mjs'
import { providerCallbackPath } from '#contract/session.ts'

test('a linked person can sign in through the pages of a certified provider that requires PKCE; a stranger cannot', async () => {
  const publicUrl = `http://127.0.0.1:${await freePort()}`
  const provider = await startRealProvider(publicUrl + providerCallbackPath)
  const sealingKey = randomBytes(32)
  const folder = join((await startBff()).folder, 'people')
  const bff = await startBff({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_SEALING_KEY: sealingKey.toString('hex'),
    OIDC_PEOPLE_DIR: folder,
    PUBLIC_URL: publicUrl,
  })
  await openPeople({ issuer: provider.issuer, folder, sealingKey }).link('ada@lab.example', knownKey)

  const signIn = async (name: string) => {
    const headers = { ...bff.pageHeaders, host: new URL(publicUrl).host }
    const started = await bff.request('POST', '/session/provider', { headers, body: '{"returnPath":"/runs"}' })
    const cookie = started.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    const response = await provider.signInThere(JSON.parse(started.text).url, name)
    const path = `${providerCallbackPath}?${new URLSearchParams(response)}`
    return bff.request('GET', path, { headers: { cookie, host: headers.host } })
  }

  const ada = await signIn('ada')
  expect([ada.headers.location, ada.headers['set-cookie']?.[1]]).toEqual([
    '/runs',
    expect.stringMatching(/^__Host-assay-session=/),
  ])
  expect((await signIn('eve')).headers.location).toBe('/sign-in?problem=unlinked&from=%2Fruns')
})
