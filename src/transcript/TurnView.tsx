import type { Turn } from '#contract/transcripts.ts'
import { TargetNotes } from '#src/labels/TargetLabels.tsx'
import { TurnHead } from './TurnHead.tsx'
import { TurnText } from './TurnText.tsx'
import classes from './TurnView.module.css'
import type { NumberedMatch } from './transcript-find.ts'
import type { TurnSize } from './transcript-view.ts'

type Props = {
  turn: Turn
  /** The start of the conversation; turns show the time since then. */
  startedAt: string | null
  size: TurnSize
  onSize: (seq: number, size: TurnSize) => void
  onFold: (() => void) | null
  matches: readonly NumberedMatch[]
  /** The number of the current match. */
  currentMatch: number | null
  isRequested: boolean
  /** The result shown on the line of its collapsed call. */
  result?: Turn | undefined
  /** True if the turn is the result below its call. */
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
      <TargetNotes turn={turn.seq} />
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
