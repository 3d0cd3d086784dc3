import type { Analytics } from './analytics.ts'
import { chdbAnalytics } from './chdb/chdb-analytics.ts'

export type AnalyticsLocation = { folder: string }

/** Opens analytics; costs nothing until the first query, which starts its organization's engine. */
export const openAnalytics = (location: AnalyticsLocation): Analytics => chdbAnalytics(location)
