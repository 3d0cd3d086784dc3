import { createHash } from 'node:crypto'

import { analyticsTableNames } from '#contract/sql-tables.ts'
import { dataSchema, emptyDatabase } from '#platform/analysis/analytics/create-tables.ts'
import { readerLimits } from '#platform/analysis/analytics/reader-limits.ts'
import { databaseOfRows, type Layout, onCluster, quoteName, quoteText } from './layout.ts'
import type { Credentials } from './server.ts'

const readerProfile = 'assay_reader'

const memoryOfReadingBytes = 512 * 1024 ** 2

/** One organization's limit across all servers of the platform. */
const statementsAtOnce = 8

/**
 * The settings enforced for users' statements. The plan of a distributed read is sent as text and to one replica of a
 * shard: serialized plans and parallel reads have bypassed row policies (ClickHouse issues 112891 and 59407).
 */
const readerSettings = (readSeconds: number) => ({
  ...readerLimits({ memoryBytes: memoryOfReadingBytes, seconds: readSeconds }),
  max_concurrent_queries_for_user: statementsAtOnce,
  cancel_http_readonly_queries_on_client_close: 1,
  session_timezone: 'UTC',
  distributed_product_mode: 'global',
  serialize_query_plan: 0,
  enable_parallel_replicas: 0,
  readonly: 1,
})

/** The settings profile shared by every organization's user. These statements are repeatable. */
export function profileStatements(layout: Layout, readSeconds: number): string[] {
  const on = onCluster(layout)
  const settings = Object.entries(readerSettings(readSeconds)).map(([name, value]) => {
    const literal = typeof value === 'string' ? quoteText(value) : value
    return `${name} = ${literal} CONST`
  })
  return [
    `CREATE SETTINGS PROFILE IF NOT EXISTS ${readerProfile}${on}`,
    `ALTER SETTINGS PROFILE ${readerProfile}${on} SETTINGS ${settings.join(', ')}`,
  ]
}

/** Some servers hide all rows from users without a policy once a table has one, so the platform's user has one too. */
export const platformPolicyStatements = (layout: Layout, username: string): string[] =>
  analyticsTableNames.map((table) => createPolicy(layout, table, { username, condition: '1' }))

export const usernameOf = (organizationId: string) => `assay_${organizationId}`

const createPolicy = (
  layout: Layout,
  table: string,
  { username, condition }: { username: string; condition: string },
) => {
  const policy = quoteName(`${username}_sees`)
  const place = `${onCluster(layout)} ON ${databaseOfRows(layout)}.${table}`
  return `CREATE ROW POLICY IF NOT EXISTS ${policy}${place} USING ${condition} TO ${quoteName(username)}`
}

const identified = ({ password }: Credentials) =>
  `IDENTIFIED WITH sha256_hash BY ${quoteText(createHash('sha256').update(password).digest('hex'))}`

/**
 * Creates an organization's user. It is repeatable, even by several servers at once. The policies precede the grants,
 * so that the user can never read another organization's rows. The hash of a 256-bit random password reveals nothing.
 */
export function userStatements(layout: Layout, organizationId: string, credentials: Credentials): string[] {
  const on = onCluster(layout)
  const { username } = credentials
  const user = quoteName(username)
  const condition = `organization_id = toUUID(${quoteText(organizationId)})`
  const databases = [...new Set([databaseOfRows(layout), dataSchema])]
  return [
    `CREATE USER IF NOT EXISTS ${user}${on} ${identified(credentials)} DEFAULT DATABASE ${emptyDatabase} SETTINGS PROFILE ${quoteText(readerProfile)}`,
    ...analyticsTableNames.map((table) => createPolicy(layout, table, { username, condition })),
    `GRANT${on} SHOW DATABASES ON ${emptyDatabase}.* TO ${user}`,
    ...databases.flatMap((database) =>
      analyticsTableNames.map((table) => `GRANT${on} SELECT ON ${database}.${table} TO ${user}`),
    ),
  ]
}

/** Sets an existing user's password again, after the installation got a new key. */
export const passwordStatement = (layout: Layout, credentials: Credentials) =>
  `ALTER USER ${quoteName(credentials.username)}${onCluster(layout)} ${identified(credentials)}`
