import { readFileSync } from 'node:fs'

import { CORE_SCHEMA, load, mergeTag } from 'js-yaml'
import { expect, test } from 'vitest'

import { readBffConfig } from '#bff/bff-config.ts'
import { readPlatformConfig } from '#platform/program/server/platform-config.ts'

type Service = {
  command?: string[]
  deploy?: { replicas: number }
  environment: Record<string, string>
  networks: string[]
  ports?: string[]
  privileged?: boolean
}
type Composition = { services: Record<string, Service>; networks: Record<string, { internal?: boolean } | null> }

const source = readFileSync(new URL('./compose.yaml', import.meta.url), 'utf8')
const { services, networks } = load(source, { schema: CORE_SCHEMA.withTags(mergeTag) }) as unknown as Composition

const secrets: Record<string, string> = {
  POSTGRES_PASSWORD: 'a1',
  CLICKHOUSE_PASSWORD: 'b2',
  BUCKET_PASSWORD: 'c3',
  ASSAY_ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64'),
}

/** Replaces ${NAME}, ${NAME:?why} and ${NAME:-default} as Compose does. A default may contain another variable. */
function fillIn(value: string): string {
  const filled = value.replaceAll(/\$\{(\w+)(?::([-?])([^{}]*))?\}/g, (_, variable: string, sign = '', more = '') => {
    if (sign === '-') return more
    return secrets[variable] ?? expect.fail(`${variable} is in no .env`)
  })
  return filled === value ? value : fillIn(filled)
}

const settingsOf = ({ environment }: Service) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fillIn(value)]))

const serviceOf = (name: string): Service => services[name] ?? expect.fail(`No service ${name}`)

test('servers, workers and the app start with settings that they accept', () => {
  const platform = readPlatformConfig(settingsOf(serviceOf('platform')))
  const worker = readPlatformConfig(settingsOf(serviceOf('worker')))
  const app = readBffConfig(settingsOf(serviceOf('app')))
  expect([platform.workerSlots, worker.workerSlots > 0]).toEqual([0, true])
  expect(app.platformUrl.host).toBe('platform:4401')
  expect(['platform', 'app', 'worker'].map((name) => serviceOf(name).command?.[0])).toEqual([
    'platform',
    'BFF',
    'assay',
  ])
  expect(['platform', 'worker'].map((name) => serviceOf(name).deploy?.replicas)).toEqual([2, 2])
})

test('every secret must be given, so nobody starts with one that is in the file', () => {
  const { environment } = serviceOf('platform')
  for (const secret of Object.keys(secrets))
    expect(Object.values(environment).some((value) => value.includes(`\${${secret}:?`))).toBe(true)
})

test('the app has no secret and no way to the data, and only it can be reached from outside', () => {
  const app = JSON.stringify(serviceOf('app'))
  for (const secret of Object.keys(secrets)) expect(app).not.toContain(secret)
  expect(serviceOf('app').networks).toEqual(['app'])
  expect(networks['data']).toEqual({ internal: true })
  for (const name of ['postgres', 'clickhouse', 'bucket']) expect(serviceOf(name).networks).toEqual(['data'])
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
    ports.map((port) => [name, fillIn(port)]),
  )
  expect(Object.values(services).some(({ privileged }) => privileged)).toBe(false)
  expect(published).toEqual([['app', '127.0.0.1:4400:4400']])
})
