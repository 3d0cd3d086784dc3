import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openAnalytics } from '#platform/analytics/open-analytics.ts'

/** A real engine over a folder of its own, removed on close. */
export function openTestAnalytics() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-analytics-'))
  const analytics = openAnalytics({ folder })
  return {
    analytics,
    async close() {
      await analytics.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
