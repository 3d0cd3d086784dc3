import { expect, test } from 'vitest'

import { readClickhouseAddress } from './read-address.ts'

const credentials = { username: 'assay', password: 'p@ss' }

test('user and password are read from the address or from their own settings, the cluster from its setting', () => {
  const address = { url: 'https://clickhouse.example:8443', credentials, cluster: null }
  expect(readClickhouseAddress({ CLICKHOUSE_URL: 'https://assay:p%40ss@clickhouse.example:8443/' })).toEqual(address)
  expect(
    readClickhouseAddress({
      CLICKHOUSE_URL: 'https://clickhouse.example:8443',
      CLICKHOUSE_USER: 'assay',
      CLICKHOUSE_PASSWORD: 'p@ss',
      CLICKHOUSE_CLUSTER: 'main',
    }),
  ).toEqual({ ...address, cluster: 'main' })
  expect(readClickhouseAddress({ CLICKHOUSE_URL: 'http://127.0.0.1:8123' })?.credentials).toEqual({
    username: 'default',
    password: '',
  })
  expect(readClickhouseAddress({})).toBeNull()
})

test('an invalid ClickHouse setting is refused by name, and no password is repeated', () => {
  const refused: [object, string][] = [
    [{ CLICKHOUSE_URL: 'clickhouse.example:secret' }, 'CLICKHOUSE_URL is not an http'],
    [{ CLICKHOUSE_URL: 'tcp://u:secret@clickhouse.example:9000' }, 'CLICKHOUSE_URL is not an http'],
    [{ CLICKHOUSE_URL: 'http://u:secret@clickhouse.example/default' }, 'CLICKHOUSE_URL must have no path'],
    [{ CLICKHOUSE_URL: 'http://clickhouse.example?password=secret' }, 'CLICKHOUSE_URL must have no path'],
    [{ CLICKHOUSE_URL: 'http://u:secret@clickhouse.example', CLICKHOUSE_PASSWORD: 'secret' }, 'set twice'],
    [{ CLICKHOUSE_CLUSTER: 'main' }, 'CLICKHOUSE_CLUSTER has no effect without CLICKHOUSE_URL'],
  ]
  for (const [settings, message] of refused) {
    expect(() => readClickhouseAddress(settings)).toThrow(message)
    expect(() => readClickhouseAddress(settings)).not.toThrow('secret')
  }
})
