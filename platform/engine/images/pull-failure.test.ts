import { expect, test } from 'vitest'

import { infrastructureOf } from '#platform/queue/run-queue/run-failure.ts'
import { pullFailure } from './pull-failure.ts'

const end = { exitCode: 1, timedOut: false, stopped: false, couldNotStart: null, exceeded: null, durationMs: 1 }
const causeOf = (said: string, more = {}) =>
  infrastructureOf(pullFailure('skopeo', { ...end, ...more }, `time="x" level=fatal msg="${said}"`))

test.each([
  'received unexpected HTTP status: 503 Service Unavailable',
  'received unexpected HTTP status: 502 Bad Gateway',
  'toomanyrequests: slow down',
  'dial tcp 192.0.2.1:443: i/o timeout',
  'dial tcp 192.0.2.1:443: connect: connection refused',
])('a registry that says %j is down, so the run is retried', (said) => {
  expect(causeOf(said)).toEqual({ cause: 'image_pull', isTransient: true })
})

test.each([
  'manifest unknown: manifest unknown',
  'unauthorized: authentication required',
  'no image found in manifest list for architecture arm64',
  'x509: certificate signed by unknown authority',
])('%j is a mistake of the definition, which no other attempt corrects', (said) => {
  expect(causeOf(said)).toBeNull()
})

test('a file that umoci may not write is never said to be denied by the registry', () => {
  const said = 'unpack layer: open root/etc/shadow: permission denied'
  expect(pullFailure('umoci', { ...end }, said).message).toBe(`umoci failed: ${said}`)
  expect(pullFailure('sh', { ...end }, 'sh: 2: cannot create /dev/null: Permission denied').message).not.toContain(
    'registry',
  )
  expect(pullFailure('umoci', { ...end }, 'write: no space left on device').message).toBe(
    'the disk of the worker is full',
  )
})

test('a full disk, a slow registry and missing programs are infrastructure, and an image that is too large is not', () => {
  expect(causeOf('write layer: no space left on device')).toEqual({ cause: 'disk_full', isTransient: true })
  expect(causeOf('', { timedOut: true })).toEqual({ cause: 'image_pull', isTransient: true })
  expect(causeOf('', { couldNotStart: 'not found' })).toEqual({ cause: 'image_pull', isTransient: false })
  expect(causeOf('', { exceeded: 'more than 10 MiB' })).toBeNull()
})
