import type { z } from 'zod'

/** Identifies a draft. People and organizations that share a browser have separate drafts. */
export type DraftKey = { organizationId: string; about: string; actorId: string }

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** No part can contain the separator. */
const storageKey = ({ organizationId, about, actorId }: DraftKey) =>
  `assay:draft:${[organizationId, about, actorId].map(encodeURIComponent).join(':')}`

/**
 * Drafts in the browser's storage, which survives a reload, a crash and signing out. Writes are synchronous, so they
 * also work while a page closes.
 */
export function draftsIn<Draft>(storage: DraftStorage | undefined, schema: z.ZodType<Draft>) {
  return {
    /** The saved draft, or null if there is none or it is unreadable. */
    read(key: DraftKey): Draft | null {
      try {
        const text = storage?.getItem(storageKey(key))
        return text ? (schema.safeParse(JSON.parse(text)).data ?? null) : null
      } catch {
        return null
      }
    },

    /** False if the browser can't save (storage full or blocked); an older draft then remains. */
    write(key: DraftKey, draft: Draft): boolean {
      try {
        if (!storage) return false
        storage.setItem(storageKey(key), JSON.stringify(draft))
        return true
      } catch {
        return false
      }
    },

    remove(key: DraftKey): void {
      try {
        storage?.removeItem(storageKey(key))
      } catch {
        // Blocked storage has no draft either.
      }
    },
  }
}
