import { memo } from 'react'

import type { Turn } from '#contract/transcripts.ts'
import type { Missing } from './call-pairs.ts'
import type { NumberedMatch } from './transcript-find.ts'
import { type TurnSize, isFoldedByDefault, isPairFoldedByDefault, defaultSize } from './transcript-view.ts'
import { TurnView } from './TurnView.tsx'

type Props = {
  turn: Turn
  result: Turn | null
  missing: Missing
  depth: number
  /** The call that started the agent of this turn, if the turn before it is of another agent. */
  inside: string | null
  startedAt: string | null
  /** The size the reader chose; undefined before that. */
  size: TurnSize | undefined
  resultSize: TurnSize | undefined
  onSize: (seq: number, size: TurnSize) => void
  matches: readonly NumberedMatch[]
  resultMatches: readonly NumberedMatch[]
  currentMatch: number | null
  /** The turn in the URL. */
  requested: number | null
  /** True if a link opened this turn. Turns reached with the keyboard stay collapsed. */
  opensRequested: boolean
}

/**
 * One turn, or a call collapsed together with its result. Memoized, because scrolling adds entries many times a second.
 */
export const EntryView = memo(function EntryView(props: Props) {
  const {
    turn,
    result,
    missing,
    depth,
    inside,
    startedAt,
    onSize,
    matches,
    resultMatches,
    currentMatch,
    requested,
    opensRequested,
  } = props
  const shared = { startedAt, onSize, currentMatch, depth }
  const isRequested = turn.seq === requested
  if (!result) {
    const size = props.size ?? (isRequested && opensRequested ? 'open' : defaultSize(turn, matches))
    const onFold = isFoldedByDefault(turn) ? () => onSize(turn.seq, size === 'folded' ? 'open' : 'folded') : null
    return (
      <TurnView
        {...shared}
        turn={turn}
        missing={missing}
        inside={inside}
        size={size}
        onFold={onFold}
        matches={matches}
        isRequested={isRequested}
      />
    )
  }
  const isResultRequested = result.seq === requested
  const opensPair = (isRequested || isResultRequested) && opensRequested
  const foldsByDefault = !opensPair && isPairFoldedByDefault(result, [...matches, ...resultMatches])
  const size = props.size ?? (foldsByDefault ? 'folded' : openSize(turn, matches))
  const onFold = () => onSize(turn.seq, size === 'folded' ? 'open' : 'folded')
  return (
    <>
      <TurnView
        {...shared}
        turn={turn}
        inside={inside}
        result={result}
        size={size}
        onFold={onFold}
        matches={matches}
        isRequested={isRequested || (isResultRequested && size === 'folded')}
      />
      {size !== 'folded' && (
        <TurnView
          {...shared}
          turn={result}
          size={props.resultSize ?? openSize(result, resultMatches)}
          onFold={null}
          matches={resultMatches}
          isRequested={isResultRequested}
          isAnswer
        />
      )}
    </>
  )
})

const openSize = (turn: Turn, matches: readonly NumberedMatch[]): TurnSize =>
  defaultSize(turn, matches) === 'whole' ? 'whole' : 'open'
