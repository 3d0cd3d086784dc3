import type { ServerAddress } from './server.ts'

export type ClickhouseSettings = {
  CLICKHOUSE_URL?: string | undefined
  CLICKHOUSE_USER?: string | undefined
  CLICKHOUSE_PASSWORD?: string | undefined
  CLICKHOUSE_CLUSTER?: string | undefined
}

export type ClickhouseAddress = ServerAddress & { cluster: string | null }

/**
 * The address of ClickHouse, or null for embedded analytics. User and password are in the address or in their own
 * settings. Throws an error that repeats neither.
 */
export function readClickhouseAddress(settings: ClickhouseSettings): ClickhouseAddress | null {
  const { CLICKHOUSE_URL, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD, CLICKHOUSE_CLUSTER } = settings
  if (CLICKHOUSE_URL === undefined) {
    const [idle] = Object.entries(settings).find(([, value]) => value !== undefined) ?? []
    if (idle) throw new Error(`${idle} has no effect without CLICKHOUSE_URL`)
    return null
  }
  const url = readUrl(CLICKHOUSE_URL)
  if ((url.username && CLICKHOUSE_USER) || (url.password && CLICKHOUSE_PASSWORD))
    throw new Error('The user or password of ClickHouse is set twice: in CLICKHOUSE_URL and in its own setting')
  return {
    url: url.origin,
    credentials: {
      username: CLICKHOUSE_USER ?? (decodeURIComponent(url.username) || 'default'),
      password: CLICKHOUSE_PASSWORD ?? decodeURIComponent(url.password),
    },
    cluster: CLICKHOUSE_CLUSTER ?? null,
  }
}

function readUrl(text: string) {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error('CLICKHOUSE_URL is not an http:// or https:// address, such as http://127.0.0.1:8123')
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new Error('CLICKHOUSE_URL must have no path and no parameters, because the platform uses its own databases')
  return url
}
