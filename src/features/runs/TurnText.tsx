import { Button } from '@mantine/core'
import { useMemo } from 'react'

import type { Turn } from '#contract/runs.ts'
import { bytes } from '#src/format/numbers.ts'
import { type NumberedMatch, cutAtMatches } from './transcript-find.ts'
import { clampText } from './transcript-view.ts'
import classes from './TurnView.module.css'

type Props = {
  turn: Turn
  isWhole: boolean
  onWhole: () => void
  matches: readonly NumberedMatch[]
  currentMatch: number | null
}

/** The words of a turn, with what was found marked; very long ones end in a button for the rest. */
export function TurnText({ turn, isWhole, onWhole, matches, currentMatch }: Props) {
  const { text, rest } = useMemo(
    () => (isWhole ? { text: turn.text, rest: 0 } : clampText(turn.text)),
    [turn.text, isWhole],
  )
  const pieces = useMemo(() => cutAtMatches(text, matches), [text, matches])
  return (
    <>
      <div className={classes.text} dir="auto">
        {text === '' && <span className={classes.nothing}>empty</span>}
        {pieces.map(({ at, text, match }) =>
          match === null ? (
            text
          ) : (
            <mark key={at} data-current={match === currentMatch || undefined}>
              {text}
            </mark>
          ),
        )}
      </div>
      {rest > 0 && (
        <Button variant="subtle" size="compact-xs" onClick={onWhole}>
          Show all, {bytes(rest)} more
        </Button>
      )}
    </>
  )
}
