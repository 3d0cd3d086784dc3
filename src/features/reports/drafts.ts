import { z } from 'zod'

/**
 * What someone wrote and has not stored yet, beside what it grew from, so that it still merges after others went on.
 * `base` is the report as last read.
 */
const Draft = z.object({
  base: z.object({ updatedAt: z.string(), title: z.string(), description: z.string(), body: z.string() }),
  title: z.string(),
  description: z.string(),
  body: z.string(),
  savedAt: z.string(),
})
export type Draft = z.infer<typeof Draft>

/** Whose draft of what: people who share a browser, and organizations, keep theirs apart. */
export type DraftKey = { organizationId: string; reportId: string; actorId: string }

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** No part can hold the sign between: they are ids. */
const nameOf = ({ organizationId, reportId, actorId }: DraftKey) =>
  `assay:draft:${[organizationId, reportId, actorId].map(encodeURIComponent).join(':')}`

/**
 * Drafts in the browser's own storage, which a reload, a crash and signing out leave as it is. Writing is done at once, so
 * that it also works while a page is being closed.
 */
export function draftsIn(storage: DraftStorage | undefined) {
  return {
    /** What was kept, or null; what cannot be read as a draft is as good as none. */
    read(key: DraftKey): Draft | null {
      try {
        const text = storage?.getItem(nameOf(key))
        return text ? (Draft.safeParse(JSON.parse(text)).data ?? null) : null
      } catch {
        return null
      }
    },

    /** False when the browser keeps nothing (storage full or shut); an older draft of the report is then still there. */
    write(key: DraftKey, draft: Draft): boolean {
      try {
        if (!storage) return false
        storage.setItem(nameOf(key), JSON.stringify(draft))
        return true
      } catch {
        return false
      }
    },

    remove(key: DraftKey): void {
      try {
        storage?.removeItem(nameOf(key))
      } catch {
        // Storage that is shut holds no draft either.
      }
    },
  }
}
