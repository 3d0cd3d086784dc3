import { memo } from 'react'

import type { Turn } from '#contract/runs.ts'
import { TurnHead } from './TurnHead.tsx'
import { TurnText } from './TurnText.tsx'
import classes from './TurnView.module.css'
import type { NumberedMatch } from './transcript-find.ts'
import { type TurnSize, isFoldedAtFirst } from './transcript-view.ts'

type Props = {
  turn: Turn
  /** When the conversation began; times are shown from there. */
  startedAt: string | null
  size: TurnSize
  onSize: (seq: number, size: TurnSize) => void
  matches: readonly NumberedMatch[]
  /** The number of the match somebody stepped to. */
  currentMatch: number | null
  isAsked: boolean
}

/** Memoized: scrolling brings new turns in many times a second, and those already there have not changed. */
export const TurnView = memo(function TurnView(props: Props) {
  const { turn, startedAt, size, onSize, matches, currentMatch, isAsked } = props
  return (
    <article
      className={classes.turn}
      data-role={turn.role}
      data-kind={turn.kind}
      data-asked={isAsked || undefined}
      aria-current={isAsked || undefined}
      aria-label={`Turn ${turn.seq}, ${turn.role}`}
    >
      <TurnHead
        turn={turn}
        startedAt={startedAt}
        size={size}
        onFold={isFoldedAtFirst(turn) ? () => onSize(turn.seq, size === 'folded' ? 'open' : 'folded') : null}
      />
      {size !== 'folded' && (
        <TurnText
          turn={turn}
          isWhole={size === 'whole'}
          onWhole={() => onSize(turn.seq, 'whole')}
          matches={matches}
          currentMatch={currentMatch}
        />
      )}
    </article>
  )
})
