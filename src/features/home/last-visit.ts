import { useEffect, useState } from 'react'

import { z } from 'zod'

import { browserDraft } from '#src/shared/drafts/browser-draft.ts'

/** `seenAt` is the last time that Home was open, `since` the end of the visit before this one; null on a first visit. */
const Visit = z.object({ seenAt: z.iso.datetime(), since: z.iso.datetime().nullable() })
export type Visit = z.infer<typeof Visit>

/** Someone who returns sooner continues the same visit, so a reload keeps its news. */
const pauseMs = 30 * 60_000

export function nextVisit(known: Visit | null, now: number): Visit {
  const seenAt = new Date(now).toISOString()
  if (!known) return { seenAt, since: null }
  return { seenAt, since: now - Date.parse(known.seenAt) > pauseMs ? known.seenAt : known.since }
}

/**
 * The end of this person's last visit to Home. The browser keeps it: reading a page then writes nothing to the
 * platform, and it works for organization keys, which belong to no person.
 */
export function useLastVisit(actorId: string) {
  const [visit] = useState(() => {
    const kept = browserDraft(Visit, { about: 'home-visit', actorId })
    const { since } = nextVisit(kept.read(), Date.now())
    return {
      since: since ?? undefined,
      /** Call it when news have been shown: the next visit starts after them. */
      see: (readAt: number) => void kept.write({ since, seenAt: new Date(readAt).toISOString() }),
    }
  })
  return visit
}

/** Browser API: the storage. A hidden page reads no news, so it does not lengthen the visit. */
export function useSeen(readAt: number, see: (readAt: number) => void) {
  useEffect(() => {
    if (readAt > 0) see(readAt)
  }, [readAt, see])
}
