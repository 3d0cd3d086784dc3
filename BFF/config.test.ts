import { expect, test } from 'vitest'

import { readConfig } from './config.ts'

test('nothing set means loopback defaults, and an empty value is nothing', () => {
  const config = readConfig({ PORT: '' })
  expect(config).toMatchObject({ port: 4400, sessionIdleMs: 30 * 60_000, sessionMaxMs: 12 * 3_600_000 })
  expect(config.platformUrl.href).toBe('http://127.0.0.1:4401/')
})

test.for([
  [{ PORT: 'abc' }, /PORT/],
  [{ PORT: '70000' }, /PORT/],
  [{ PLATFORM_URL: 'file:///etc' }, /`PLATFORM_URL` must be an http or https URL/],
  [{ SESSION_IDLE_MINUTES: '0' }, /SESSION_IDLE_MINUTES/],
] as const)('a value that cannot be used is named: %o', ([environment, message]) => {
  expect(() => readConfig(environment)).toThrow(message)
})
