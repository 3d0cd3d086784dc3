import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, expect, onTestFinished, test, vi } from 'vitest'

import { openPeople } from './people.ts'
import { startBff } from '#bff/testing/start-bff.ts'
import { knownKey } from '#bff/testing/stub-platform.ts'
import { clientId, clientSecret, startStubProvider } from '#bff/testing/stub-provider.ts'
import { verifiedEmailHeader, verifiedEmailText } from '#contract/invitations.ts'
import { providerCallbackPath } from '#contract/session.ts'

afterEach(() => void vi.useRealTimers())

const ada = 'ada@lab.example'

/** Starts a BFF with a provider; Ada is linked. */
async function start() {
  const provider = await startStubProvider()
  const sealingKey = randomBytes(32)
  const folder = await mkdtemp(join(tmpdir(), 'assay-people-'))
  onTestFinished(() => rm(folder, { recursive: true }))
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

  const startAttempt = async (returnPath?: string, session?: string) => {
    const sent = {
      headers: { ...bff.pageHeaders, ...(session && { cookie: session }) },
      body: JSON.stringify({ returnPath }),
    }
    const response = await bff.request('POST', '/session/provider', sent)
    const cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    return { response, cookie, url: String(JSON.parse(response.text).url) }
  }
  const comeBack = (query: Record<string, string>, cookie: string) =>
    bff.request('GET', `${providerCallbackPath}?${new URLSearchParams(query)}`, { headers: { cookie } })
  const signIn = async (returnPath?: string) => {
    const { url, cookie } = await startAttempt(returnPath)
    return comeBack(provider.approve(url), cookie)
  }
  return { provider, bff, people, sealingKey, startAttempt, comeBack, signIn }
}

type RawResponse = Awaited<ReturnType<Awaited<ReturnType<typeof start>>['signIn']>>

const sessionOf = ({ headers }: RawResponse) =>
  headers['set-cookie']?.find((cookie) => cookie.startsWith('__Host-assay-session='))?.split(';')[0]

const expectRefused = (response: RawResponse, problem: string) => {
  expect([response.status, response.headers.location]).toEqual([303, `/sign-in?problem=${problem}`])
  expect(sessionOf(response)).toBeUndefined()
}

test('a linked person with a verified email signs in and returns to the page they wanted', async () => {
  const { bff, signIn } = await start()
  const response = await signIn('/o/lab/runs?status=errored#turn-3')
  expect([response.status, response.headers.location]).toEqual([303, '/o/lab/runs?status=errored#turn-3'])

  const cookie = sessionOf(response) ?? ''
  bff.platform.seen.length = 0
  expect((await bff.request('GET', '/api/v1/runs', { headers: { cookie } })).status).toBe(200)
  expect(bff.platform.seen[0]?.headers.authorization).toBe(`Bearer ${knownKey}`)
})

test('a completed provider sign-in ends the browser’s earlier session, and an abandoned one does not', async () => {
  const { bff, startAttempt, comeBack, provider, signIn } = await start()
  const statusOf = async (cookie: string) => (await bff.request('GET', '/api/v1/runs', { headers: { cookie } })).status
  const earlier = sessionOf(await signIn()) ?? ''
  const elsewhere = sessionOf(await signIn()) ?? ''

  const again = await startAttempt('/', earlier)
  expect(await statusOf(earlier)).toBe(200)
  const later = sessionOf(await comeBack(provider.approve(again.url), again.cookie)) ?? ''
  expect(await Promise.all([earlier, later, elsewhere].map(statusOf))).toEqual([401, 200, 200])
})

test('the sign-in page shows the provider’s name if there is a provider', async () => {
  const { bff } = await start()
  expect(JSON.parse((await bff.request('GET', '/session')).text).identityProvider).toBe('Lab login')
  const plain = await startBff()
  expect(JSON.parse((await plain.request('GET', '/session')).text).identityProvider).toBeUndefined()
  expect((await plain.request('POST', '/session/provider', { headers: plain.pageHeaders, body: '{}' })).status).toBe(
    404,
  )
})

test('every sign-in request uses PKCE with a new state and nonce', async () => {
  const { startAttempt, bff } = await start()
  const [first, second] = [new URL((await startAttempt()).url), new URL((await startAttempt()).url)]
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

test('only the app’s own page can start a provider sign-in', async () => {
  const { bff } = await start()
  expect((await bff.request('POST', '/session/provider', { body: '{}' })).status).toBe(403)
})

test('the sign-in attempt cookie is hidden from scripts, gives no API access and is deleted afterwards', async () => {
  const { bff, startAttempt, comeBack, provider } = await start()
  const { response, cookie, url } = await startAttempt()
  expect(response.headers['set-cookie']?.[0]).toMatch(
    /^__Host-assay-sign-in=[\w-]{43}; .*HttpOnly; Secure; SameSite=Lax$/,
  )
  expect((await bff.request('GET', '/api/v1/runs', { headers: { cookie } })).status).toBe(401)
  const back = await comeBack(provider.approve(url), cookie)
  expect(back.headers['set-cookie']?.[0]).toMatch(/^__Host-assay-sign-in=; Max-Age=0/)
})

test('a provider response with a wrong state is refused', async () => {
  const { startAttempt, comeBack, provider } = await start()
  const { url, cookie } = await startAttempt()
  expectRefused(await comeBack({ ...provider.approve(url), state: 'another' }, cookie), 'invalid')
})

test('a provider response in another browser is refused, so nobody is signed in as somebody else', async () => {
  const { startAttempt, comeBack, provider } = await start()
  const [attacker, victim] = [await startAttempt(), await startAttempt()]
  expectRefused(await comeBack(provider.approve(attacker.url), ''), 'expired')
  expectRefused(await comeBack(provider.approve(attacker.url), victim.cookie), 'invalid')
})

test('a repeated provider response is refused', async () => {
  const { startAttempt, comeBack, provider } = await start()
  const { url, cookie } = await startAttempt()
  const response = provider.approve(url)
  expect(sessionOf(await comeBack(response, cookie))).toBeDefined()
  expectRefused(await comeBack(response, cookie), 'expired')
})

test('an authorization code that was already used, or belongs to another attempt, is refused', async () => {
  const { startAttempt, comeBack, provider } = await start()
  const [first, second, third] = [await startAttempt(), await startAttempt(), await startAttempt()]
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
] as const)('a provider response with %s is refused', async ([, claims]) => {
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
  'a sign-in with an unverified email is refused: %o',
  async (claims) => {
    const { provider, signIn } = await start()
    provider.bent.claims = claims
    expectRefused(await signIn(), 'unverified')
  },
)

test('an email from the userinfo endpoint counts as verified only if the endpoint says so', async () => {
  const { provider, signIn } = await start()
  provider.bent.claims = { email: undefined, email_verified: undefined }
  expectRefused(await signIn(), 'unverified')
  provider.bent.userInfo = { email: ada, email_verified: true }
  expect(sessionOf(await signIn())).toBeDefined()
  provider.bent.userInfo = { sub: 'somebody-else', email: ada, email_verified: true }
  expectRefused(await signIn(), 'invalid')
})

test('a person who is not linked, or whose link or key was revoked, gets an error that says so', async () => {
  const { provider, people, signIn } = await start()
  provider.bent.claims = { email: 'eve@lab.example' }
  expectRefused(await signIn(), 'unlinked')
  provider.bent.claims = {}
  await people.link(ada, 'assay_revoked_key')
  expectRefused(await signIn(), 'unlinked')
  await people.unlink(ada)
  expectRefused(await signIn(), 'unlinked')
})

test('an email reassigned to another person after the first sign-in gives no access until it is linked again', async () => {
  const { provider, people, signIn } = await start()
  expect(sessionOf(await signIn())).toBeDefined()
  provider.bent.claims = { sub: 'somebody-else' }
  expectRefused(await signIn(), 'unlinked')
  await people.link(ada, knownKey)
  expect(sessionOf(await signIn())).toBeDefined()
})

test('a sign-in declined at the provider returns the reason and the wanted page', async () => {
  const { startAttempt, comeBack, provider } = await start()
  const { url, cookie } = await startAttempt('/o/lab/runs?x=1')
  const { state } = provider.approve(url)
  const response = await comeBack({ error: 'access_denied', state }, cookie)
  expect(response.headers.location).toBe('/o/lab/sign-in?problem=declined&from=%2Fruns%3Fx%3D1')
})

test('a sign-in attempt expires after ten minutes', async () => {
  const { startAttempt, comeBack, provider } = await start()
  const { url, cookie } = await startAttempt()
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + 10 * 60_000 + 1)
  expectRefused(await comeBack(provider.approve(url), cookie), 'expired')
})

test.for(['https://evil.example/', '//evil.example', '/\\evil.example', '/.//evil.example', '/\r\nset-cookie: x=1'])(
  'a sign-in never redirects to another site: %j',
  async (returnPath) => {
    const { signIn, bff } = await start()
    const { status, headers } = await signIn(returnPath)
    const arrived = new URL(headers.location ?? '', `http://127.0.0.1:${bff.port}/session/callback`)
    expect([status, arrived.host]).toEqual([303, `127.0.0.1:${bff.port}`])
    expect(headers['set-cookie']).toHaveLength(2)
  },
)

test('503 unavailable while the provider is down or is an impostor, and sign-in works again afterwards', async () => {
  const { provider, startAttempt, signIn } = await start()
  provider.bent.metadata = { issuer: 'https://evil.example' }
  const { response } = await startAttempt()
  expect([response.status, JSON.parse(response.text).error]).toEqual([503, 'unavailable'])
  provider.bent.metadata = {}
  expect(sessionOf(await signIn())).toBeDefined()
})

test('a provider sign-in leaks no key, code or token to the browser or the log', async () => {
  const { bff, startAttempt, comeBack, provider } = await start()
  const { url, cookie } = await startAttempt()
  const { code, state } = provider.approve(url)
  provider.bent.signWrongly = true
  const refused = await comeBack({ code, state }, cookie)
  const seen = JSON.stringify(refused) + url + bff.readLog()
  expect(bff.readLog()).toContain('was refused')
  for (const secret of [knownKey, clientSecret, code]) expect(seen).not.toContain(secret)
})

const token = `invite_${'a'.repeat(43)}`
const joinPage = `/join#${token}`

/** Answers as a platform with an open invitation, which gives the known key once. */
async function startInvited(invitation: { email: string; mustSignIn?: boolean }) {
  const started = await start()
  const { bff, people, provider, comeBack } = started
  await people.unlink(ada)
  let uses = 0
  bff.platform.answerWith(({ method }, response) => {
    if (method === 'POST') uses += 1
    if (uses > 1) return response.writeHead(412).end('{}')
    const view = {
      mustSignIn: false,
      ...invitation,
      role: 'member',
      expiresAt: '2999-01-01T00:00:00Z',
      organizationName: 'Lab',
    }
    const organization = { id: randomUUID(), slug: 'lab', name: 'Lab', role: 'member' }
    return response.end(JSON.stringify(method === 'GET' ? view : { organization, keyName: 'x', key: knownKey }))
  })
  const join = async () => {
    const asked = { returnPath: joinPage, invitation: { token, name: 'Ada' } }
    const response = await bff.request('POST', '/session/provider', {
      headers: bff.pageHeaders,
      body: JSON.stringify(asked),
    })
    const cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    return comeBack(provider.approve(String(JSON.parse(response.text).url)), cookie)
  }
  return { ...started, join, timesUsed: () => uses }
}

test('an invited person whom nobody linked joins with their verified address, and signs in without the link afterwards', async () => {
  const { join, signIn, bff, sealingKey } = await startInvited({ email: ada })
  const joined = await join()
  const proof = createHmac('sha256', sealingKey).update(verifiedEmailText(token, ada)).digest('hex')
  const sentByBff = bff.platform.seen.filter(({ url }) => url.startsWith('/admin/v1/invitation'))
  expect(sentByBff.map(({ headers }) => headers[verifiedEmailHeader])).toEqual([proof, proof])
  expect([joined.status, joined.headers.location]).toEqual([303, '/'])
  expect(sessionOf(joined)).toBeDefined()
  expect(sessionOf(await signIn())).toBeDefined()
  expect(bff.readLog()).not.toContain(token)
})

test('a linked person returns to the invitation signed in, and joins there', async () => {
  const { join, people, timesUsed } = await startInvited({ email: ada })
  await people.link(ada, knownKey)
  const back = await join()
  expect([back.headers.location, timesUsed()]).toEqual([joinPage, 0])
  expect(sessionOf(back)).toBeDefined()
})

test.each([
  ['for another address', { email: 'grace@lab.example' }, 'uninvited'],
  ['of a known person whose key is not linked', { email: ada, mustSignIn: true }, 'unlinked'],
])('an invitation %s is not used, and the join page says why', async (_, invitation, problem) => {
  const { join, timesUsed, people } = await startInvited(invitation)
  const back = await join()
  expect([back.headers.location, timesUsed()]).toEqual([`/join?problem=${problem}#${token}`, 0])
  expect([sessionOf(back), await people.list()]).toEqual([undefined, []])
})

test('an invitation that was used meanwhile links nobody', async () => {
  const { join, people } = await startInvited({ email: ada })
  await join()
  await people.unlink(ada)
  expect((await join()).headers.location).toBe(`/join?problem=ended#${token}`)
  expect(await people.list()).toEqual([])
})
