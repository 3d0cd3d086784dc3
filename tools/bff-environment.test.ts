import { expect, test } from 'vitest'

import { readBffConfig } from '#bff/bff-config.ts'
import { withheldFromBff } from './bff-environment.mjs'

const ofApp = {
  PUBLIC_URL: 'https://assay.lab.example',
  OIDC_ISSUER: 'https://id.lab.example',
  OIDC_CLIENT_ID: 'assay',
  OIDC_CLIENT_SECRET: 'x',
  OIDC_SEALING_KEY: 'a'.repeat(64),
  OIDC_PEOPLE_DIR: '/srv/people',
  TRUSTED_PROXIES: '10.1.0.7',
  PGPASSWORD: 'x',
}
const secrets = {
  ASSAY_ENCRYPTION_KEYS: 'x',
  AWS_SECRET_ACCESS_KEY: 'x',
  CLICKHOUSE_PASSWORD: 'x',
  STRIPE_SECRET_KEY: 'x',
  STRIPE_WEBHOOK_SECRET: 'x',
  MANAGED_OPENAI_API_KEY: 'x',
  SMTP_URL: 'smtp://user:x@mail.lab',
}
const database = { DATABASE_URL: 'postgres://db.lab.example/assay' }
const sessions = { SESSIONS_URL: 'postgres://assay_bff@db.lab.example/assay' }

const environmentOfBff = (environment: Record<string, string>) => {
  const given = { ...environment, ...withheldFromBff(environment) }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

test('with a database of its own for sessions, the app gets no secret of the platform', () => {
  const given = environmentOfBff({ ...ofApp, ...secrets, ...database, ...sessions })
  expect(given).toEqual({ ...ofApp, ...sessions })
  expect(readBffConfig(given)).toMatchObject({ sessionsUrl: sessions.SESSIONS_URL, trustedProxies: ['10.1.0.7'] })
})

test.for<Record<string, string>>([{}, { SESSIONS_URL: '' }])(
  'with %o the app keeps its sessions in the database of the platform',
  (none) => {
    const given = environmentOfBff({ ...ofApp, ...secrets, ...database, ...none })
    expect(given).toEqual({ ...ofApp, ...database, ...none })
    expect(readBffConfig(given).sessionsUrl).toBe(database.DATABASE_URL)
  },
)
