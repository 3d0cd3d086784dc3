import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { demoKeys, startBff } from '#bff/testing/start-bff.ts'

type Bff = Awaited<ReturnType<typeof startBff>>
type Headers = Record<string, string>

const stateFor = async (bff: Bff, headers: Headers = {}) =>
  JSON.parse((await bff.request('GET', '/session', { headers })).text)

const signInAsAdmin = (bff: Bff, headers: Headers) =>
  bff.request('POST', '/session/demo', { headers, body: '{"person":"admin"}' })

const useSecret = (bff: Bff, secret: string, headers: Headers = bff.pageHeaders) =>
  bff.request('POST', '/session/demo-link', { headers, body: JSON.stringify({ secret }) })

const [ada] = demoKeys.map(({ id, name, email }) => ({ id, name, email }))

test('a request from this machine proves no person: it sees no demo user and signs in as none', async () => {
  const bff = await startBff()
  expect(await stateFor(bff)).toEqual({ signedIn: false, demoPeople: [], demoNeedsLink: true })
  const { port, pageHeaders } = bff
  // What a proxy sends that forwards for a stranger and adds no header.
  const forged = { ...pageHeaders, host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` }
  const refused = await signInAsAdmin(bff, forged)
  expect([refused.status, JSON.parse(refused.text).error]).toEqual([403, 'permission_denied'])
  expect((await signInAsAdmin(bff, { ...forged, cookie: `__Host-assay-demo-${port}=guess` })).status).toBe(403)
})

test('a browser that used the secret signs in as a demo user, again after a restart, and on this port only', async () => {
  const bff = await startBff()
  const headers = await bff.openDemo()
  expect(await stateFor(bff, headers)).toEqual({ signedIn: false, demoPeople: [ada] })
  await bff.restart()
  const response = await signInAsAdmin(bff, headers)
  expect([response.status, JSON.parse(response.text).signedIn]).toEqual([200, true])
  expect(await stateFor(bff, { ...headers, host: 'localhost:80' })).toMatchObject({ demoPeople: [] })
})

test('the cookie of the demo lasts, and no script and no other site can use it', async () => {
  const bff = await startBff()
  const { status, headers } = await useSecret(bff, await bff.readDemoSecret())
  expect(status).toBe(204)
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(
      /^__Host-assay-demo-\d+=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    ),
  ])
})

test('a secret admits one browser, also if several use it at once, and the file has the next one', async () => {
  const bff = await startBff()
  const secret = await bff.readDemoSecret()
  const answers = await Promise.all(Array.from({ length: 8 }, () => useSecret(bff, secret)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, ...Array.from({ length: 7 }, () => 403)])
  expect(await bff.readDemoSecret()).not.toBe(secret)
  expect((await useSecret(bff, await bff.readDemoSecret())).status).toBe(204)
})

test('a restart keeps the printed secret valid, and a used one invalid', async () => {
  const bff = await startBff()
  const used = await bff.readDemoSecret()
  await useSecret(bff, used)
  const printed = await bff.readDemoSecret()
  await bff.restart()
  expect((await useSecret(bff, used)).status).toBe(403)
  expect((await useSecret(bff, printed)).status).toBe(204)
})

test('only the owner of the data folder can read the secret, and an empty or missing file admits nobody', async () => {
  const bff = await startBff()
  const file = join(bff.folder, 'demo-link')
  expect((await stat(file)).mode & 0o077).toBe(0)
  expect((await readFile(file, 'utf8')).trim()).toMatch(/^[\w-]{22}$/)
  await writeFile(file, '')
  expect((await useSecret(bff, '')).status).toBe(403)
  await rm(file)
  expect((await useSecret(bff, '')).status).toBe(403)
})

test('a secret that cannot be replaced admits nobody', async () => {
  const bff = await startBff()
  const secret = await bff.readDemoSecret()
  await mkdir(join(bff.folder, 'demo-link.new'))
  expect((await useSecret(bff, secret)).status).toBe(500)
  await rm(join(bff.folder, 'demo-link.new'), { recursive: true })
  expect((await useSecret(bff, secret)).status).toBe(204)
})

test.for<[string, Headers, Headers]>([
  ['there is a public address', { PUBLIC_URL: 'https://assay.example' }, {}],
  ['the request was forwarded for another address', {}, { 'x-forwarded-for': '203.0.113.9' }],
  ['the platform is not embedded', { DEMO_KEYS_FILE: '' }, {}],
])('there are no demo users if %s, and the secret stays unused', async ([, environment, sent]) => {
  const bff = await startBff(environment)
  const proof = environment.PUBLIC_URL ? { ...bff.pageHeaders, origin: environment.PUBLIC_URL } : bff.pageHeaders
  const headers = { ...proof, ...sent }
  expect(await stateFor(bff, headers)).toEqual({ signedIn: false, demoPeople: [] })
  expect((await signInAsAdmin(bff, headers)).status).toBe(404)
  expect((await useSecret(bff, await bff.readDemoSecret().catch(() => 'none'), headers)).status).toBe(403)
})

test('the link admits nobody until the platform has written the keys, and stays unused', async () => {
  const bff = await startBff()
  const file = join(bff.folder, 'demo-keys.json')
  const keys = await readFile(file)
  await rm(file)
  expect(await stateFor(bff)).toEqual({ signedIn: false, demoPeople: [] })
  const secret = await bff.readDemoSecret()
  expect((await useSecret(bff, secret)).status).toBe(403)
  await writeFile(file, keys)
  expect((await useSecret(bff, secret)).status).toBe(204)
})

test('demo users cannot sign in after the platform has revoked their keys, and the page shows that the demo sign-in is off', async () => {
  const bff = await startBff()
  const headers = await bff.openDemo()
  const revoked = demoKeys.map((person) => ({ ...person, apiKey: 'assay_revoked_key' }))
  await writeFile(join(bff.folder, 'demo-keys.json'), JSON.stringify(revoked))
  expect(await stateFor(bff, headers)).toEqual({ signedIn: false, demoPeople: [], demoIsOff: true })
  const response = await signInAsAdmin(bff, headers)
  expect([response.status, JSON.parse(response.text).error]).toEqual([412, 'failed_precondition'])
  expect(JSON.parse(response.text).message).toContain('second organization')
})

test('a platform that does not answer does not turn the demo sign-in off', async () => {
  const bff = await startBff()
  const headers = await bff.openDemo()
  await bff.platform.stop()
  expect((await stateFor(bff, headers)).demoPeople).toHaveLength(1)
})
