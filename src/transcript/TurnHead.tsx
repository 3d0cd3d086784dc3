import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'

import type { Turn } from '#contract/transcripts.ts'
import { ClipTurn } from '#src/clip/ClipTurn.tsx'
import { exactTime } from '#src/format/dates.ts'
import { seconds } from '#src/format/durations.ts'
import { LabelButton, TargetTags } from '#src/labels/TargetLabels.tsx'
import { OutcomeGlyph } from '#src/ui/OutcomeGlyph.tsx'
import { type TurnSize, kindWords, summaryLine } from './transcript-view.ts'
import { TurnLink } from './TurnLink.tsx'
import classes from './TurnView.module.css'

type Props = {
  turn: Turn
  startedAt: string | null
  size: TurnSize
  /** The result of a collapsed call, shown on the same line. */
  result?: Turn | undefined
  /** Null if the turn can't be collapsed. */
  onFold: (() => void) | null
}

export function TurnHead({ turn, result, startedAt, size, onFold }: Props) {
  const isFolded = size === 'folded'
  const who = (
    <>
      <span className={classes.role}>{turn.kind === 'message' ? turn.role : (kindWords[turn.kind] ?? turn.kind)}</span>
      {turn.tool && <span className={classes.tool}>{turn.tool}</span>}
      {turn.failed && <OutcomeGlyph outcome="failed" />}
      {isFolded && <span className={classes.summary}>{summaryLine(turn.text)}</span>}
      {isFolded && result && (
        <>
          <span className={classes.arrow} aria-label="result:">
            →
          </span>
          {result.failed && <OutcomeGlyph outcome="failed" />}
          <span className={classes.summary} data-of="result">
            {summaryLine(result.text) || 'no output'}
          </span>
        </>
      )}
    </>
  )
  return (
    <header className={classes.head}>
      {onFold ? (
        <button type="button" className={classes.fold} aria-expanded={!isFolded} onClick={onFold}>
          {isFolded ? <IconChevronRight size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
          {who}
        </button>
      ) : (
        <span className={classes.who}>{who}</span>
      )}
      <TargetTags turn={turn.seq} />
      <span className={classes.when} title={turn.ts ? exactTime(turn.ts) : 'No time recorded'}>
        {turn.ts && startedAt && `+${seconds(Math.max(0, Date.parse(turn.ts) - Date.parse(startedAt)) / 1000)}`}
      </span>
      <LabelButton turn={turn.seq} />
      <ClipTurn turn={turn} />
      <TurnLink seq={turn.seq} />
    </header>
  )
}
