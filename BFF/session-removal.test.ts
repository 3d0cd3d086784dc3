import type * as files from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test, vi } from 'vitest'

import { createSessions } from './sessions.ts'

vi.mock('node:fs', async (importOriginal) => ({
  ...(await importOriginal<typeof files>()),
  rmSync() {
    throw Object.assign(new Error('read-only file system'), { code: 'EROFS' })
  },
}))

async function openSessions(onFault: () => void) {
  const sessionsFolder = await mkdtemp(join(tmpdir(), 'assay-sessions-'))
  onTestFinished(() => rm(sessionsFolder, { recursive: true }))
  return createSessions({ sessionIdleMs: 60_000, sessionMaxMs: 600_000, sessionsFolder }, onFault)
}

const place = { browser: '', address: '127.0.0.1' }

test('a session that was signed out stays signed out when its file cannot be removed', async () => {
  const onFault = vi.fn()
  const sessions = await openSessions(onFault)
  const [ended, other] = [1, 2].map(() => sessions.start({ apiKey: 'a', person: 'ada' }, place))
  sessions.end(ended)
  expect([sessions.findKey(ended), sessions.findKey(other)]).toEqual([undefined, 'a'])
  expect(onFault).toHaveBeenCalled()
})

test('signing out on all devices holds when no file can be removed, and others stay signed in', async () => {
  const sessions = await openSessions(() => {})
  const [here, there] = [1, 2].map(() => sessions.start({ apiKey: 'a', person: 'ada' }, place))
  const somebodyElse = sessions.start({ apiKey: 'm', person: 'max' }, place)
  sessions.endAllOfPerson(here)
  expect([here, there, somebodyElse].map((id) => sessions.findKey(id))).toEqual([undefined, undefined, 'm'])
  expect(sessions.findKey(sessions.start({ apiKey: 'a', person: 'ada' }, place))).toBe('a')
})
