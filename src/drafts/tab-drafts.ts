import { z } from 'zod'

import { type DraftKey, type DraftStorage, draftsIn } from './drafts.ts'

type Storages = { tab: DraftStorage | undefined; browser: DraftStorage | undefined }

/**
 * Drafts of which each tab has its own, so that two tabs never write over each other; a tab that has had none yet finds
 * the one written last in any.
 */
export function tabDraftsIn<Draft>({ tab, browser }: Storages, schema: z.ZodType<Draft>) {
  // Null once the tab has done with its draft: another tab's is none of its own.
  const own = draftsIn(tab, z.object({ draft: schema.nullable() }))
  const latest = draftsIn(browser, schema)
  const isLatest = (key: DraftKey, draft: Draft | null) => JSON.stringify(draft) === JSON.stringify(latest.read(key))
  return {
    read(key: DraftKey): Draft | null {
      const mine = own.read(key)
      return mine ? mine.draft : latest.read(key)
    },

    /** False when the browser keeps nothing beyond this tab. */
    write(key: DraftKey, draft: Draft): boolean {
      if (!own.write(key, { draft })) own.remove(key)
      return latest.write(key, draft)
    },

    remove(key: DraftKey): void {
      const mine = own.read(key)
      if (!mine || isLatest(key, mine.draft)) latest.remove(key)
      own.write(key, { draft: null })
    },

    /** The draft that goes with this tab: another one has written since. */
    onlyHere(key: DraftKey): Draft | null {
      const mine = own.read(key)
      return mine?.draft && !isLatest(key, mine.draft) ? mine.draft : null
    },
  }
}
