import { use } from 'react'

import type { Turn } from '#contract/transcripts.ts'
import { TargetNotes } from '#src/shared/labels/TargetLabels.tsx'
import { TurnHead } from './TurnHead.tsx'
import { TranscriptRun } from './transcript-run.ts'
import { TurnImages } from './TurnImages.tsx'
import { TurnText } from './TurnText.tsx'
import classes from './TurnView.module.css'
import type { Missing } from './call-pairs.ts'
import type { NumberedMatch } from './transcript-find.ts'
import { deepest, type TurnSize } from './transcript-view.ts'

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
  missing?: Missing
  depth?: number
  inside?: string | null
  /** True if the turn is the result below its call. */
  isAnswer?: boolean
}

export function TurnView(props: Props) {
  const { turn, result, startedAt, size, onSize, onFold, matches, currentMatch, isRequested, isAnswer } = props
  const runId = use(TranscriptRun)
  const { missing = null, depth = 0, inside = null } = props
  return (
    <article
      className={classes.turn}
      data-role={turn.role}
      data-kind={turn.kind}
      data-asked={isRequested || undefined}
      data-answer={isAnswer || undefined}
      data-depth={depth > 0 ? Math.min(depth, deepest) : undefined}
      aria-current={isRequested || undefined}
      aria-label={`Turn ${turn.seq}, ${turn.role}`}
      tabIndex={-1}
    >
      {inside && <p className={classes.inside}>{inside}</p>}
      <TurnHead turn={turn} result={result} missing={missing} startedAt={startedAt} size={size} onFold={onFold} />
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
      {size !== 'folded' && turn.images && runId !== null && <TurnImages runId={runId} images={turn.images} />}
    </article>
  )
}
