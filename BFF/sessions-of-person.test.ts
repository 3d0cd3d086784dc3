import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'

import { startBff } from '#bff/testing/start-bff.ts'
import type { OwnSession } from '#contract/session.ts'
import * as sessionKeys from './session-keys.ts'
import { createSessions } from './sessions.ts'

vi.mock('./session-keys.ts', { spy: true })

type Bff = Awaited<ReturnType<typeof startBff>>
type Headers = Awaited<ReturnType<Bff['signIn']>>

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const list = async (bff: Bff, headers: Headers) => {
  const { text } = await bff.request('GET', '/session/all', { headers })
  return JSON.parse(text).sessions as OwnSession[]
}
const endOthers = async (bff: Bff, headers: Headers) =>
  (await bff.request('DELETE', '/session/others', { headers })).status
const statuses = async (bff: Bff, ...people: Headers[]) =>
  Promise.all(people.map(async (headers) => (await bff.request('GET', '/api/v1/runs', { headers })).status))

test('ending all other sessions hashes the id of each session at most once', async () => {
  const bff = await startBff()
  const here = await bff.signIn()
  const others: Headers[] = []
  for (let count = 0; count < 7; count += 1) others.push(await bff.signIn())
  vi.mocked(sessionKeys.sessionName).mockClear()
  expect(await endOthers(bff, here)).toBe(204)
  expect(vi.mocked(sessionKeys.sessionName).mock.calls.length).toBeLessThanOrEqual(8)
  expect(await statuses(bff, here, ...others)).toEqual([200, ...others.map(() => 401)])
})

test('a session whose file could not be written is listed, and ends with all others', async () => {
  const bff = await startBff()
  const max = await bff.signIn('assay_key_of_max')
  await rm(join(bff.folder, 'sessions'), { recursive: true })
  const [ada, laptop] = [await bff.signIn(), await bff.signIn()]
  await mkdir(join(bff.folder, 'sessions'))
  expect((await list(bff, ada)).map(({ address, isCurrent }) => [address, isCurrent]).toSorted()).toEqual([
    ['127.0.0.1', false],
    ['127.0.0.1', true],
  ])
  expect(await endOthers(bff, ada)).toBe(204)
  expect(await statuses(bff, ada, laptop, max)).toEqual([200, 401, 200])
  expect(await list(bff, ada)).toHaveLength(1)
})

test('500 from the list and from ending all others when the folder cannot be read, and the others have ended', async () => {
  const bff = await startBff()
  const [ada, laptop] = [await bff.signIn(), await bff.signIn()]
  await rm(join(bff.folder, 'sessions'), { recursive: true })
  expect((await bff.request('GET', '/session/all', { headers: ada })).status).toBe(500)
  expect(await endOthers(bff, ada)).toBe(500)
  expect(await statuses(bff, ada, laptop)).toEqual([200, 401])
})

test('one unreadable file makes ending all others an error, and every readable session ends for good', async () => {
  const bff = await startBff()
  const [ada, laptop] = [await bff.signIn(), await bff.signIn()]
  await bff.restart()
  await mkdir(join(bff.folder, 'sessions', '-'.repeat(43)))
  expect(await endOthers(bff, ada)).toBe(500)
  expect(await statuses(bff, ada, laptop)).toEqual([200, 401])
  await bff.restart()
  expect(await statuses(bff, ada, laptop)).toEqual([200, 401])
})

async function makeSessionsFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'assay-sessions-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const limits = { sessionIdleMs: 1_800_000, sessionMaxMs: 3_600_000 }

function startMany(sessions: ReturnType<typeof createSessions>, count: number, person = 'ada') {
  return Array.from({ length: count }, () => {
    vi.setSystemTime(Date.now() + 1)
    return sessions.start({ apiKey: person, person }, { browser: '', address: '127.0.0.1' })
  })
}

test('a new session ends the oldest of a person who has too many, even after a restart, and of nobody else', async () => {
  const sessionsFolder = await makeSessionsFolder()
  const open = () => createSessions({ ...limits, sessionsFolder, maxSessionsPerPerson: 3 })
  const before = open()
  const max = startMany(before, 1, 'max')
  const ada = startMany(before, 4)
  expect(ada.map((id) => before.findKey(id))).toEqual([undefined, 'ada', 'ada', 'ada'])

  const after = open()
  const all = [...max, ...ada, ...startMany(after, 1)]
  expect(all.map((id) => after.findKey(id))).toEqual(['max', undefined, undefined, 'ada', 'ada', 'ada'])
  expect(await readdir(sessionsFolder)).toHaveLength(4)
})

test('a person has at most 100 sessions, and those without a file count as well', async () => {
  const sessionsFolder = await makeSessionsFolder()
  const sessions = createSessions({ ...limits, sessionsFolder })
  await rm(sessionsFolder, { recursive: true })
  const ids = startMany(sessions, 101)
  expect(ids.map((id) => sessions.findKey(id))).toEqual([undefined, ...ids.slice(1).map(() => 'ada')])
})

test('a sign-in opens no file of other people once their person is known', async () => {
  const bff = await startBff()
  const folder = join(bff.folder, 'sessions')
  await bff.signIn('assay_key_of_max')
  const [ofMax = ''] = await readdir(folder)
  const ada = await bff.signIn()
  await rm(join(folder, ofMax))
  // Reading it would fail, and the list would be a 500.
  await mkdir(join(folder, ofMax))
  await bff.signIn()
  expect(await list(bff, ada)).toHaveLength(2)
  expect(await endOthers(bff, ada)).toBe(204)
  expect(await list(bff, ada)).toHaveLength(1)
})
