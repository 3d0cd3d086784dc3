import { expect, test } from 'vitest'

import { readBffConfig } from './bff-config.ts'

test('without settings, or with empty values, the configuration has loopback defaults', () => {
  const config = readBffConfig({ PORT: '' })
  expect(config).toMatchObject({
    port: 4400,
    listenHost: '127.0.0.1',
    sessionIdleMs: 30 * 60_000,
    sessionMaxMs: 12 * 3_600_000,
  })
  expect(config.platformUrl.href).toBe('http://127.0.0.1:4401/')
})

test.for([
  [{ PORT: 'abc' }, /PORT/],
  [{ PORT: '70000' }, /PORT/],
  [{ PLATFORM_URL: 'file:///etc' }, /`PLATFORM_URL` must be an http or https URL/],
  [{ SESSION_IDLE_MINUTES: '0' }, /SESSION_IDLE_MINUTES/],
  [{ TRUSTED_PROXIES: '10.1.0.7, proxy.lab' }, /`TRUSTED_PROXIES` must be addresses or ranges .*, not proxy\.lab/],
  [{ TRUSTED_PROXIES: '10.1' }, /`TRUSTED_PROXIES` must be addresses or ranges/],
  [{ TRUSTED_PROXIES: '10.1.0.0/33' }, /`TRUSTED_PROXIES` must be addresses or ranges/],
  [{ TRUSTED_PROXIES: '0.0.0.0/0' }, /`TRUSTED_PROXIES` must not be every address/],
  [{ TRUSTED_PROXIES: '::/0' }, /`TRUSTED_PROXIES` must not be every address/],
] as const)('the error for the invalid configuration %o names the variable', ([environment, message]) => {
  expect(() => readBffConfig(environment)).toThrow(message)
})

const provider = {
  OIDC_ISSUER: 'https://id.lab.example',
  OIDC_CLIENT_ID: 'assay',
  OIDC_CLIENT_SECRET: 'x',
  OIDC_SEALING_KEY: 'a'.repeat(64),
}

test('with SESSIONS_URL, single sign-on needs a named folder of people', () => {
  const environment = { ...provider, SESSIONS_URL: 'postgres://db.lab.example/assay' }
  expect(() => readBffConfig(environment)).toThrow(/^SESSIONS_URL and OIDC_ISSUER also require OIDC_PEOPLE_DIR/)
  const { oidc } = readBffConfig({ ...environment, OIDC_PEOPLE_DIR: '/srv/people' })
  expect(oidc?.people.folder).toBe('/srv/people')
})

test('without SESSIONS_URL, linked people are in the data folder', () => {
  const oneServer = { ...provider, DATA_DIR: '/srv/assay', DATABASE_URL: 'postgres://db.lab.example/assay' }
  expect(readBffConfig(oneServer).oidc?.people.folder).toBe('/srv/assay/people')
  expect(readBffConfig({ ...provider, DATA_DIR: '/srv/assay' }).oidc?.people.folder).toBe('/srv/assay/people')
})
