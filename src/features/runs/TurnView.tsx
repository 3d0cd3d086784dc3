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
  onSize: (size: TurnSize) => void
  matches: readonly NumberedMatch[]
  /** The number of the match somebody stepped to. */
  currentMatch: number | null
  isAsked: boolean
}

export function TurnView({ turn, startedAt, size, onSize, matches, currentMatch, isAsked }: Props) {
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
        onFold={isFoldedAtFirst(turn) ? () => onSize(size === 'folded' ? 'open' : 'folded') : null}
      />
      {size !== 'folded' && (
        <TurnText
          turn={turn}
          isWhole={size === 'whole'}
          onWhole={() => onSize('whole')}
          matches={matches}
          currentMatch={currentMatch}
        />
      )}
    </article>
  )
}
