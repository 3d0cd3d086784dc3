import { Button } from '@mantine/core'
import { useMemo } from 'react'

import type { Turn } from '#contract/transcripts.ts'
import { bytes } from '#src/format/numbers.ts'
import { ansiAttributes, ansiColors } from '#src/ui/ansi-attributes.ts'
import { stylesIn } from './readable-turns.ts'
import { type NumberedMatch, type Piece, splitAtMatches, splitAtStyles, toChunks } from './transcript-find.ts'
import { clampText } from './transcript-view.ts'
import classes from './TurnView.module.css'

export type TurnTextProps = {
  turn: Turn
  isWhole: boolean
  onWhole: () => void
  matches: readonly NumberedMatch[]
  currentMatch: number | null
}

/**
 * The original text of a turn with terminal colors and marked matches. Very long text ends with a button for the rest.
 */
export function PlainTurnText({ turn, isWhole, onWhole, matches, currentMatch }: TurnTextProps) {
  const { text, rest } = useMemo(
    () => (isWhole ? { text: turn.text, rest: 0 } : clampText(turn.text)),
    [turn.text, isWhole],
  )
  const styles = stylesIn(turn)
  const chunks = useMemo(() => toChunks(splitAtStyles(splitAtMatches(text, matches), styles)), [text, matches, styles])
  const show = (pieces: readonly Piece[]) =>
    pieces.map(({ at, text, match, style }) => {
      const attributes = style && ansiAttributes(style)
      if (match === null && !style) return text
      if (match === null)
        return (
          <span key={at} {...attributes}>
            {text}
          </span>
        )
      return (
        <mark key={at} data-current={match === currentMatch || undefined} {...attributes}>
          {text}
        </mark>
      )
    })
  return (
    <>
      <div className={styles.length > 0 ? `${classes.text} ${ansiColors}` : classes.text} dir="auto">
        {text === '' && <span className={classes.nothing}>empty</span>}
        {chunks.length === 1
          ? chunks.map(show)
          : chunks.map((pieces) => (
              <div key={pieces[0]?.at} className={classes.chunk} style={{ containIntrinsicHeight: heightOf(pieces) }}>
                {show(pieces)}
              </div>
            ))}
      </div>
      {rest > 0 && (
        <Button variant="subtle" size="compact-xs" onClick={onWhole}>
          Show all ({bytes(rest)} more)
        </Button>
      )}
    </>
  )
}

/** Estimates the height of chunks that have no layout yet: their lines, at a hundred characters each. */
function heightOf(pieces: readonly Piece[]) {
  const lines = pieces.flatMap(({ text }) => text.split('\n')).map(({ length }) => Math.ceil(length / 100) || 1)
  return `auto ${18 * lines.reduce((sum, count) => sum + count, 0)}px`
}
