import { z } from 'zod'

import { type DraftKey, type DraftStorage, draftsIn } from './drafts.ts'

type Storages = { tab: DraftStorage | undefined; browser: DraftStorage | undefined }

/**
 * Drafts per tab, so that two tabs never overwrite each other. A new tab starts with the latest draft of any tab.
 */
export function tabDraftsIn<Draft>({ tab, browser }: Storages, schema: z.ZodType<Draft>) {
  // Null once the tab has cleared its draft, so it doesn't pick up another tab's.
  const own = draftsIn(tab, z.object({ draft: schema.nullable() }))
  const latest = draftsIn(browser, schema)
  const isLatest = (key: DraftKey, draft: Draft | null) => JSON.stringify(draft) === JSON.stringify(latest.read(key))
  return {
    read(key: DraftKey): Draft | null {
      const mine = own.read(key)
      return mine ? mine.draft : latest.read(key)
    },

    /** False if the browser can't save beyond this tab. */
    write(key: DraftKey, draft: Draft): boolean {
      if (!own.write(key, { draft })) own.remove(key)
      return latest.write(key, draft)
    },

    remove(key: DraftKey): void {
      const mine = own.read(key)
      if (!mine || isLatest(key, mine.draft)) latest.remove(key)
      own.write(key, { draft: null })
    },

    /** Lost with this tab, because another tab has saved since. */
    onlyHere(key: DraftKey): Draft | null {
      const mine = own.read(key)
      return mine?.draft && !isLatest(key, mine.draft) ? mine.draft : null
    },
  }
}
