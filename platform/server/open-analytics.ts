import type { InstallationKeys } from '#platform/context/installation-keys.ts'
import type { Analytics } from '#platform/context/analytics.ts'
import { chdbAnalytics } from '#platform/analytics/chdb/chdb-analytics.ts'
import { clickhouseAnalytics } from '#platform/analytics/clickhouse/clickhouse-analytics.ts'
import type { ClickhouseAddress } from '#platform/analytics/clickhouse/read-address.ts'

type AnalyticsLocation = {
  /** The folder of the embedded engines. */
  folder: string
  /** The ClickHouse server to use instead; null for embedded engines. */
  clickhouse: ClickhouseAddress | null
  keys: InstallationKeys
}

/**
 * Opens analytics. Costs nothing until the first query, which starts the organization's engine or contacts the server.
 */
export const openAnalytics = ({ folder, clickhouse, keys }: AnalyticsLocation): Analytics =>
  clickhouse ? clickhouseAnalytics({ ...clickhouse, keys }) : chdbAnalytics({ folder })
