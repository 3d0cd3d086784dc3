import { useState } from 'react'
import { z } from 'zod'

import { browserDraft } from '#src/shared/drafts/browser-draft.ts'

const Dismissed = z.object({ ids: z.array(z.string()) })

/** The newest are kept; older news has left the inbox by itself. */
const most = 300

/** The findings that this person has dismissed in this browser. */
export function useDismissed(actorId: string) {
  const [kept] = useState(() => browserDraft(Dismissed, { about: 'home-dismissed', actorId }))
  const [ids, setIds] = useState<readonly string[]>(() => kept.read()?.ids ?? [])
  const save = (next: readonly string[]) => {
    setIds(next)
    kept.write({ ids: [...next] })
  }
  return {
    isDismissed: (id: string) => ids.includes(id),
    dismiss: (id: string) => save([...ids, id].slice(-most)),
    restore: (restored: readonly string[]) => save(ids.filter((id) => !restored.includes(id))),
  }
}
