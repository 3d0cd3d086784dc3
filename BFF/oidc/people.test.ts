import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { expect, onTestFinished, test } from 'vitest'

import { openPeople } from './people.ts'

const issuer = 'https://login.example'
const apiKey = 'assay_key_of_ada'

async function start() {
  const parent = await mkdtemp(join(tmpdir(), 'assay-people-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  const settings = { issuer, folder: join(parent, 'people'), sealingKey: randomBytes(32) }
  return { settings, folder: settings.folder, people: openPeople(settings) }
}

test('a linked key is stored encrypted only, in a file and folder that only their owner can read', async () => {
  const { folder, people } = await start()
  await people.link('Ada@lab.example', apiKey)
  const [name = '', ...others] = await readdir(folder)
  expect(others).toEqual([])
  const content = await readFile(join(folder, name))
  for (const text of [apiKey, 'ada', Buffer.from(apiKey).toString('base64')]) expect(content.includes(text)).toBe(false)
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

test('a link matches its email in any letter case, for its own provider only', async () => {
  const { settings, people } = await start()
  await people.link('Ada@lab.example', apiKey)
  expect(await people.findKey({ email: 'ADA@lab.example', subject: '1' })).toBe(apiKey)
  expect(await people.findKey({ email: 'max@lab.example', subject: '1' })).toBeNull()
  const elsewhere = openPeople({ ...settings, issuer: 'https://other.example' })
  expect(await elsewhere.findKey({ email: 'ada@lab.example', subject: '1' })).toBeNull()
})

test('an address with a look-alike of a letter is nobody’s', async () => {
  const { people } = await start()
  await people.link('kim@lab.example', apiKey)
  const kelvin = '\u212aim@lab.example'
  expect(kelvin.toLowerCase()).toBe('kim@lab.example')
  expect(await people.findKey({ email: kelvin, subject: '1' })).toBeNull()
  expect(await people.unlink(kelvin)).toBe(false)
  await expect(people.link(kelvin, apiKey)).rejects.toThrow('is not an email address')
})

test('if two people first sign in at once with one address, only one of them gets in', async () => {
  const { people } = await start()
  await people.link('ada@lab.example', apiKey)
  const subjects = ['1', '2', '1', '2']
  const keys = await Promise.all(subjects.map((subject) => people.findKey({ email: 'ada@lab.example', subject })))
  expect([
    [apiKey, null, apiKey, null],
    [null, apiKey, null, apiKey],
  ]).toContainEqual(keys)
})

test('a new link, or an unlink, during the first sign-in is kept', async () => {
  const { settings, folder, people } = await start()
  const operator = openPeople(settings)
  const ada = { email: 'ada@lab.example', subject: '1' }
  for (let round = 0; round < 40; round += 1) {
    await operator.link(ada.email, apiKey)
    await Promise.all([people.findKey(ada), pause(round / 8).then(() => operator.link(ada.email, `newer${round}`))])
    expect(await people.findKey(ada)).toBe(`newer${round}`)
    await operator.link(ada.email, apiKey)
    await Promise.all([people.findKey(ada), pause(round / 8).then(() => operator.unlink(ada.email))])
    expect([await people.findKey(ada), await readdir(folder)]).toEqual([null, []])
  }
})

test('the first sign-in after a new link decides which subject it belongs to', async () => {
  const { people } = await start()
  await people.link('ada@lab.example', apiKey)
  await people.findKey({ email: 'ada@lab.example', subject: '1' })
  expect(await people.findKey({ email: 'ada@lab.example', subject: '2' })).toBeNull()
  await people.link('ada@lab.example', 'newer')
  expect(await people.findKey({ email: 'ada@lab.example', subject: '2' })).toBe('newer')
  expect(await people.findKey({ email: 'ada@lab.example', subject: '1' })).toBeNull()
})

test('a link file cannot be decrypted under another person’s name, with a changed byte or with another key', async () => {
  const { settings, folder, people } = await start()
  await people.link('ada@lab.example', apiKey)
  const stranger = openPeople({ ...settings, sealingKey: randomBytes(32) })
  await expect(stranger.findKey({ email: 'ada@lab.example', subject: '1' })).rejects.toThrow('OIDC_SEALING_KEY')
  const [adas = ''] = await readdir(folder)
  await people.link('max@lab.example', 'assay_key_of_max')
  const maxs = (await readdir(folder)).find((name) => name !== adas) ?? ''
  await rename(join(folder, adas), join(folder, maxs))
  await expect(people.findKey({ email: 'max@lab.example', subject: '1' })).rejects.toThrow('OIDC_SEALING_KEY')
})

test('the operator can list who is linked and has signed in, and can unlink them', async () => {
  const { people } = await start()
  expect(await people.list()).toEqual([])
  await people.link('max@lab.example', 'assay_key_of_max')
  await people.link('ada@lab.example', apiKey)
  await people.findKey({ email: 'ada@lab.example', subject: '1' })
  expect((await people.list()).map(({ email, subject }) => [email, subject])).toEqual([
    ['ada@lab.example', '1'],
    ['max@lab.example', null],
  ])
  expect([await people.unlink('ada@lab.example'), await people.unlink('ada@lab.example')]).toEqual([true, false])
})
