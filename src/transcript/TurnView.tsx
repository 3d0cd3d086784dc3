import type { Turn } from '#contract/transcripts.ts'
import { TurnHead } from './TurnHead.tsx'
import { TurnText } from './TurnText.tsx'
import classes from './TurnView.module.css'
import type { NumberedMatch } from './transcript-find.ts'
import type { TurnSize } from './transcript-view.ts'

type Props = {
  turn: Turn
  /** When the conversation began; times are shown from there. */
  startedAt: string | null
  size: TurnSize
  onSize: (seq: number, size: TurnSize) => void
  onFold: (() => void) | null
  matches: readonly NumberedMatch[]
  /** The number of the match somebody stepped to. */
  currentMatch: number | null
  isRequested: boolean
  /** The result a folded call carries on its own line. */
  result?: Turn | undefined
  /** It stands under its call. */
  isAnswer?: boolean
}

export function TurnView(props: Props) {
  const { turn, result, startedAt, size, onSize, onFold, matches, currentMatch, isRequested, isAnswer } = props
  return (
    <article
      className={classes.turn}
      data-role={turn.role}
      data-kind={turn.kind}
      data-asked={isRequested || undefined}
      data-answer={isAnswer || undefined}
      aria-current={isRequested || undefined}
      aria-label={`Turn ${turn.seq}, ${turn.role}`}
      tabIndex={-1}
    >
      <TurnHead turn={turn} result={result} startedAt={startedAt} size={size} onFold={onFold} />
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
}
