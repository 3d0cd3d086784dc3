import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import { afterEach, expect, test, vi } from 'vitest'

import { openPeople } from './people.ts'
import { startBff } from '#bff/testing/start-bff.ts'
import { knownKey } from '#bff/testing/stub-platform.ts'
import { clientId, clientSecret, startStubProvider } from '#bff/testing/stub-provider.ts'
import { providerCallbackPath } from '#contract/session.ts'

afterEach(() => void vi.useRealTimers())

const ada = 'ada@lab.example'

/** A BFF with a provider, on which Ada is linked. */
async function start() {
  const provider = await startStubProvider()
  const sealingKey = randomBytes(32)
  const folder = join((await startBff()).folder, 'people')
  const bff = await startBff({
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_SEALING_KEY: sealingKey.toString('base64'),
    OIDC_PEOPLE_DIR: folder,
    OIDC_NAME: 'Lab login',
  })
  const people = openPeople({ issuer: provider.issuer, folder, sealingKey })
  await people.link(ada, knownKey)

  const begin = async (returnPath?: string, session?: string) => {
    const sent = {
      headers: { ...bff.ownWrite, ...(session && { cookie: session }) },
      body: JSON.stringify({ returnPath }),
    }
    const answer = await bff.request('POST', '/session/provider', sent)
    const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    return { answer, cookie, url: String(JSON.parse(answer.text).url) }
  }
  const comeBack = (query: Record<string, string>, cookie: string) =>
    bff.request('GET', `${providerCallbackPath}?${new URLSearchParams(query)}`, { headers: { cookie } })
  const signIn = async (returnPath?: string) => {
    const { url, cookie } = await begin(returnPath)
    return comeBack(provider.approve(url), cookie)
  }
  return { provider, bff, people, begin, comeBack, signIn }
}

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof start>>['signIn']>>

const sessionOf = ({ headers }: Answer) =>
  headers['set-cookie']?.find((cookie) => cookie.startsWith('__Host-assay-session='))?.split(';')[0]

const expectRefused = (answer: Answer, problem: string) => {
  expect([answer.status, answer.headers.location]).toEqual([303, `/sign-in?problem=${problem}`])
  expect(sessionOf(answer)).toBeUndefined()
}

test('a linked person with a verified email is signed in, and arrives at the page they wanted', async () => {
  const { bff, signIn } = await start()
  const answer = await signIn('/o/lab/runs?status=errored#turn-3')
  expect([answer.status, answer.headers.location]).toEqual([303, '/o/lab/runs?status=errored#turn-3'])

  const cookie = sessionOf(answer) ?? ''
  bff.platform.seen.length = 0
  expect((await bff.request('GET', '/api/v1/runs', { headers: { cookie } })).status).toBe(200)
  expect(bff.platform.seen[0]?.headers.authorization).toBe(`Bearer ${knownKey}`)
})

test('signing in ends the earlier session of that browser, and one that is given up ends none', async () => {
  const { bff, begin, comeBack, provider, signIn } = await start()
  const statusOf = async (cookie: string) => (await bff.request('GET', '/api/v1/runs', { headers: { cookie } })).status
  const earlier = sessionOf(await signIn()) ?? ''
  const elsewhere = sessionOf(await signIn()) ?? ''

  const again = await begin('/', earlier)
  expect(await statusOf(earlier)).toBe(200)
  const later = sessionOf(await comeBack(provider.approve(again.url), again.cookie)) ?? ''
  expect(await Promise.all([earlier, later, elsewhere].map(statusOf))).toEqual([401, 200, 200])
})

test('the sign-in page is told the provider’s name, and nothing where there is none', async () => {
  const { bff } = await start()
  expect(JSON.parse((await bff.request('GET', '/session')).text).identityProvider).toBe('Lab login')
  const plain = await startBff()
  expect(JSON.parse((await plain.request('GET', '/session')).text).identityProvider).toBeUndefined()
  expect((await plain.request('POST', '/session/provider', { headers: plain.ownWrite, body: '{}' })).status).toBe(404)
})

test('the provider is asked with PKCE, a state and a nonce that are new each time', async () => {
  const { begin, bff } = await start()
  const [first, second] = [new URL((await begin()).url), new URL((await begin()).url)]
  expect(Object.fromEntries(first.searchParams)).toMatchObject({
    response_type: 'code',
    client_id: clientId,
    scope: 'openid email',
    redirect_uri: `http://127.0.0.1:${bff.port}${providerCallbackPath}`,
    code_challenge_method: 'S256',
  })
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(first.searchParams.get(name)).not.toBe(second.searchParams.get(name))
})

test('only our own page can begin a sign-in', async () => {
  const { bff } = await start()
  expect((await bff.request('POST', '/session/provider', { body: '{}' })).status).toBe(403)
})

test('the attempt’s cookie is kept from scripts, opens no API, and is gone afterwards', async () => {
  const { bff, begin, comeBack, provider } = await start()
  const { answer, cookie, url } = await begin()
  expect(answer.headers['set-cookie']?.[0]).toMatch(
    /^__Host-assay-sign-in=[\w-]{43}; .*HttpOnly; Secure; SameSite=Lax$/,
  )
  expect((await bff.request('GET', '/api/v1/runs', { headers: { cookie } })).status).toBe(401)
  const back = await comeBack(provider.approve(url), cookie)
  expect(back.headers['set-cookie']?.[0]).toMatch(/^__Host-assay-sign-in=; Max-Age=0/)
})

test('a wrong state is refused', async () => {
  const { begin, comeBack, provider } = await start()
  const { url, cookie } = await begin()
  expectRefused(await comeBack({ ...provider.approve(url), state: 'another' }, cookie), 'invalid')
})

test('an answer in a browser that did not ask is refused: nobody is signed in as somebody else', async () => {
  const { begin, comeBack, provider } = await start()
  const [attacker, victim] = [await begin(), await begin()]
  expectRefused(await comeBack(provider.approve(attacker.url), ''), 'expired')
  expectRefused(await comeBack(provider.approve(attacker.url), victim.cookie), 'invalid')
})

test('an answer sent a second time is refused', async () => {
  const { begin, comeBack, provider } = await start()
  const { url, cookie } = await begin()
  const answer = provider.approve(url)
  expect(sessionOf(await comeBack(answer, cookie))).toBeDefined()
  expectRefused(await comeBack(answer, cookie), 'expired')
})

test('a code that was used before, or was meant for another attempt, is refused', async () => {
  const { begin, comeBack, provider } = await start()
  const [first, second, third] = [await begin(), await begin(), await begin()]
  const { code } = provider.approve(first.url)
  await comeBack({ code, state: provider.approve(first.url).state }, first.cookie)
  expectRefused(await comeBack({ code, state: provider.approve(second.url).state }, second.cookie), 'invalid')
  const stolen = provider.approve(second.url).code
  expectRefused(await comeBack({ code: stolen, state: provider.approve(third.url).state }, third.cookie), 'invalid')
})

test.for([
  ['a wrong nonce', { nonce: 'another' }],
  ['no nonce', { nonce: undefined }],
  ['an ID token that has expired', { exp: Math.floor(Date.now() / 1000) - 3600 }],
  ['an ID token of another issuer', { iss: 'https://evil.example' }],
  ['an ID token for another client', { aud: 'someone-else' }],
] as const)('%s is refused', async ([, claims]) => {
  const { provider, signIn } = await start()
  provider.bent.claims = claims
  expectRefused(await signIn(), 'invalid')
})

test('an ID token that the provider did not sign is refused', async () => {
  const { provider, signIn } = await start()
  provider.bent.signWrongly = true
  expectRefused(await signIn(), 'invalid')
})

test.for([{ email_verified: false }, { email_verified: undefined }, { email_verified: 'true' }] as const)(
  'an email that is not verified is refused: %o',
  async (claims) => {
    const { provider, signIn } = await start()
    provider.bent.claims = claims
    expectRefused(await signIn(), 'unverified')
  },
)

test('an email that only the userinfo endpoint tells counts, verified or not, as it says', async () => {
  const { provider, signIn } = await start()
  provider.bent.claims = { email: undefined, email_verified: undefined }
  expectRefused(await signIn(), 'unverified')
  provider.bent.userInfo = { email: ada, email_verified: true }
  expect(sessionOf(await signIn())).toBeDefined()
  provider.bent.userInfo = { sub: 'somebody-else', email: ada, email_verified: true }
  expectRefused(await signIn(), 'invalid')
})

test('a person nobody has linked is told so, and so is one whose link or key was taken away', async () => {
  const { provider, people, signIn } = await start()
  provider.bent.claims = { email: 'eve@lab.example' }
  expectRefused(await signIn(), 'unlinked')
  provider.bent.claims = {}
  await people.link(ada, 'assay_revoked_key')
  expectRefused(await signIn(), 'unlinked')
  await people.unlink(ada)
  expectRefused(await signIn(), 'unlinked')
})

test('an address that was given to somebody else after the first sign-in opens nothing, until it is linked anew', async () => {
  const { provider, people, signIn } = await start()
  expect(sessionOf(await signIn())).toBeDefined()
  provider.bent.claims = { sub: 'somebody-else' }
  expectRefused(await signIn(), 'unlinked')
  await people.link(ada, knownKey)
  expect(sessionOf(await signIn())).toBeDefined()
})

test('a sign-in declined at the provider comes back with the reason and the page that was wanted', async () => {
  const { begin, comeBack, provider } = await start()
  const { url, cookie } = await begin('/o/lab/runs?x=1')
  const { state } = provider.approve(url)
  const answer = await comeBack({ error: 'access_denied', state }, cookie)
  expect(answer.headers.location).toBe('/o/lab/sign-in?problem=declined&from=%2Fruns%3Fx%3D1')
})

test('an attempt is too old after ten minutes', async () => {
  const { begin, comeBack, provider } = await start()
  const { url, cookie } = await begin()
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + 10 * 60_000 + 1)
  expectRefused(await comeBack(provider.approve(url), cookie), 'expired')
})

test.for(['https://evil.example/', '//evil.example', '/\\evil.example', '/.//evil.example', '/\r\nset-cookie: x=1'])(
  'the way back never leads to another site: %j',
  async (returnPath) => {
    const { signIn, bff } = await start()
    const { status, headers } = await signIn(returnPath)
    const arrived = new URL(headers.location ?? '', `http://127.0.0.1:${bff.port}/session/callback`)
    expect([status, arrived.host]).toEqual([303, `127.0.0.1:${bff.port}`])
    expect(headers['set-cookie']).toHaveLength(2)
  },
)

test('503 unavailable while the provider is down or is not who it should be, and better once it is', async () => {
  const { provider, begin, signIn } = await start()
  provider.bent.metadata = { issuer: 'https://evil.example' }
  const { answer } = await begin()
  expect([answer.status, JSON.parse(answer.text).error]).toEqual([503, 'unavailable'])
  provider.bent.metadata = {}
  expect(sessionOf(await signIn())).toBeDefined()
})

test('no key, code or token reaches the browser or the log', async () => {
  const { bff, begin, comeBack, provider } = await start()
  const { url, cookie } = await begin()
  const { code, state } = provider.approve(url)
  provider.bent.signWrongly = true
  const refused = await comeBack({ code, state }, cookie)
  const seen = JSON.stringify(refused) + url + bff.readLog()
  expect(bff.readLog()).toContain('was refused')
  for (const secret of [knownKey, clientSecret, code]) expect(seen).not.toContain(secret)
})
