import type { z } from 'zod'

/** Whose draft of what: people who share a browser, and organizations, keep theirs apart. */
export type DraftKey = { organizationId: string; about: string; actorId: string }

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** No part can hold the sign between. */
const nameOf = ({ organizationId, about, actorId }: DraftKey) =>
  `assay:draft:${[organizationId, about, actorId].map(encodeURIComponent).join(':')}`

/**
 * Drafts in the browser's own storage, which a reload, a crash and signing out leave as it is. Writing is done at once, so
 * that it also works while a page is being closed.
 */
export function draftsIn<Draft>(storage: DraftStorage | undefined, schema: z.ZodType<Draft>) {
  return {
    /** What was kept, or null; what cannot be read as a draft is as good as none. */
    read(key: DraftKey): Draft | null {
      try {
        const text = storage?.getItem(nameOf(key))
        return text ? (schema.safeParse(JSON.parse(text)).data ?? null) : null
      } catch {
        return null
      }
    },

    /** False when the browser keeps nothing (storage full or shut); an older draft is then still there. */
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
