import { startFauxqs } from 'fauxqs'

import { startClickhouseServer } from '#platform/program/testing/clickhouse-server.ts'

const { CLICKHOUSE_USER = '', CLICKHOUSE_PASSWORD = '' } = process.env

/** Servers that speak as those of `compose.yaml` do, at the same ports and with the same folders. */
const standIns: Record<string, () => Promise<unknown>> = {
  /** chDB, the library of ClickHouse, behind the part of the HTTP interface that the platform uses. */
  clickhouse: () =>
    startClickhouseServer({
      root: '/var/lib/clickhouse',
      credentials: { username: CLICKHOUSE_USER, password: CLICKHOUSE_PASSWORD },
      host: '0.0.0.0',
      wantedPort: 8123,
    }),
  /** Keeps each object as a file, like versitygw. It checks no signatures. */
  async bucket() {
    const server = await startFauxqs({ host: '0.0.0.0', port: 7070, s3StorageDir: '/data', logger: false })
    server.createBucket('assay')
  },
}

await standIns[process.argv[2] ?? '']?.()
// As process 1 it has no default for signals.
process.once('SIGTERM', () => process.exit())
