import { memo } from 'react'

import type { Turn } from '#contract/transcripts.ts'
import type { NumberedMatch } from './transcript-find.ts'
import { type TurnSize, isFoldedAtFirst, isPairFoldedAtFirst, sizeAtFirst } from './transcript-view.ts'
import { TurnView } from './TurnView.tsx'

type Props = {
  turn: Turn
  result: Turn | null
  startedAt: string | null
  /** How large somebody made them; undefined as long as nobody touched them. */
  size: TurnSize | undefined
  resultSize: TurnSize | undefined
  onSize: (seq: number, size: TurnSize) => void
  matches: readonly NumberedMatch[]
  resultMatches: readonly NumberedMatch[]
  currentMatch: number | null
  /** The turn the URL names. */
  asked: number | null
  /** A link led here, so it stands open; whoever walks by keys opens what they like. */
  opensAsked: boolean
}

/** One turn, or a call and its result folded as a pair. Memoized: scrolling brings new entries many times a second. */
export const EntryView = memo(function EntryView(props: Props) {
  const { turn, result, startedAt, onSize, matches, resultMatches, currentMatch, asked, opensAsked } = props
  const shared = { startedAt, onSize, currentMatch }
  const isAsked = turn.seq === asked
  if (!result) {
    const size = props.size ?? (isAsked && opensAsked ? 'open' : sizeAtFirst(turn, matches))
    const onFold = isFoldedAtFirst(turn) ? () => onSize(turn.seq, size === 'folded' ? 'open' : 'folded') : null
    return <TurnView {...shared} turn={turn} size={size} onFold={onFold} matches={matches} isAsked={isAsked} />
  }
  const isResultAsked = result.seq === asked
  const opensPair = (isAsked || isResultAsked) && opensAsked
  const foldsAtFirst = !opensPair && isPairFoldedAtFirst(result, [...matches, ...resultMatches])
  const size = props.size ?? (foldsAtFirst ? 'folded' : openSize(turn, matches))
  const onFold = () => onSize(turn.seq, size === 'folded' ? 'open' : 'folded')
  return (
    <>
      <TurnView
        {...shared}
        turn={turn}
        result={result}
        size={size}
        onFold={onFold}
        matches={matches}
        isAsked={isAsked || (isResultAsked && size === 'folded')}
      />
      {size !== 'folded' && (
        <TurnView
          {...shared}
          turn={result}
          size={props.resultSize ?? openSize(result, resultMatches)}
          onFold={null}
          matches={resultMatches}
          isAsked={isResultAsked}
          isAnswer
        />
      )}
    </>
  )
})

const openSize = (turn: Turn, matches: readonly NumberedMatch[]): TurnSize =>
  sizeAtFirst(turn, matches) === 'whole' ? 'whole' : 'open'
