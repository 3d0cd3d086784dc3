import { IconScissors } from '@tabler/icons-react'
import { use } from 'react'

import type { Turn } from '#contract/transcripts.ts'
import { clipToReport } from './clip-requests.ts'
import { shorten } from './clip-quote.ts'
import { ClipSourceContext, turnClip } from './clip-source.ts'
import classes from './ClipTurn.module.css'

/** Clips one turn. Small, because there are thousands. */
export function ClipTurn({ turn }: { turn: Turn }) {
  const source = use(ClipSourceContext)
  if (!source) return null
  const clip = () => {
    const request = turnClip(source, turn)
    clipToReport({ ...request, quote: shorten(request.quote) })
  }
  return (
    <button
      type="button"
      className={classes.clip}
      aria-label={`Clip turn ${turn.seq} to report`}
      title="Clip to report"
      onClick={clip}
    >
      <IconScissors size={13} aria-hidden />
    </button>
  )
}
