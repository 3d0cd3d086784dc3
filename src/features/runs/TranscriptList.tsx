import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'

import type { Turn } from '#contract/runs.ts'
import { count } from '#src/format/numbers.ts'
import { useShortcut } from '#src/ui/shortcuts/use-shortcut.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { matchesByTurn } from './transcript-find.ts'
import { type TurnSize, indexOfSeq, sizeAtFirst } from './transcript-view.ts'
import classes from './TranscriptList.module.css'
import { TurnView } from './TurnView.tsx'
import type { Find } from './use-find.ts'

type Props = { turns: readonly Turn[]; find: Find; isLive: boolean; onScrolled: (firstVisible: number) => void }

const nothing: never[] = []

/** Only the turns near the window exist; whoever reads at the end of a live run follows it, whoever reads elsewhere stays. */
export function TranscriptList({ turns, find, isLive, onScrolled }: Props) {
  const url = useQueryState()
  const scroller = useRef<HTMLDivElement>(null)
  const [sizes, setSizes] = useState<ReadonlyMap<number, TurnSize>>(new Map())
  const [seenCount, setSeenCount] = useState(turns.length)
  const asked = url.one('turn') === '' ? null : Number(url.one('turn'))
  const askedIndex = asked === null ? null : indexOfSeq(turns, asked)
  const matches = useMemo(() => matchesByTurn(find.matches), [find.matches])

  const virtualizer = useVirtualizer({
    count: turns.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 56,
    getItemKey: (index) => turns[index]?.seq ?? index,
    overscan: 6,
    directDomUpdates: true,
    anchorTo: isLive ? 'end' : 'start',
    followOnAppend: isLive,
    scrollEndThreshold: 48,
    onChange: (instance) => {
      onScrolled(instance.range?.startIndex ?? 0)
      if (instance.isAtEnd()) setSeenCount(instance.options.count)
    },
  })

  const isLoaded = asked !== null && (turns.at(-1)?.seq ?? -1) >= asked
  const revealTurn = useEffectEvent((seq: number) =>
    virtualizer.scrollToIndex(indexOfSeq(turns, seq), { align: 'auto' }),
  )
  const startAtEnd = useEffectEvent(() => isLive && asked === null && virtualizer.scrollToEnd())
  // Browser API: scrolling a run under way to where it is now, unless the URL names a turn.
  useEffect(() => {
    startAtEnd()
  }, [])
  // Browser API: scrolling to the turn the URL names, once it is here.
  useEffect(() => {
    if (asked !== null && isLoaded) revealTurn(asked)
  }, [asked, isLoaded])

  const { step: findStep, match } = find
  const revealMatch = useEffectEvent(() => match && virtualizer.scrollToIndex(match.index, { align: 'center' }))
  // Browser API: scrolling to the match somebody stepped to; inside a long turn, to the very word.
  useEffect(() => {
    if (!findStep) return
    revealMatch()
    const toWord = () => scroller.current?.querySelector('[data-current]')?.scrollIntoView({ block: 'center' })
    const timer = setTimeout(toWord, 80)
    return () => clearTimeout(timer)
  }, [findStep])

  const move = (by: 1 | -1) => {
    const from = askedIndex ?? (virtualizer.range?.startIndex ?? 0) - by
    const next = turns[Math.min(Math.max(from + by, 0), turns.length - 1)]
    if (next) url.set({ turn: String(next.seq) })
  }
  useShortcut('next', () => move(1))
  useShortcut('previous', () => move(-1))

  const resize = useCallback((seq: number, size: TurnSize) => setSizes((before) => new Map(before).set(seq, size)), [])
  const newCount = isLive ? turns.length - seenCount : 0
  return (
    <div className={classes.frame}>
      <div ref={scroller} className={classes.scroller}>
        <ol ref={virtualizer.containerRef} className={classes.list}>
          {virtualizer.getVirtualItems().map(({ index, key }) => {
            const turn = turns[index]
            if (!turn) return null
            const found = matches.get(index) ?? nothing
            return (
              <li key={key} ref={virtualizer.measureElement} data-index={index} className={classes.item}>
                <TurnView
                  turn={turn}
                  startedAt={turns[0]?.ts ?? null}
                  size={sizes.get(turn.seq) ?? sizeAtFirst(turn, found)}
                  onSize={resize}
                  matches={found}
                  currentMatch={find.number}
                  isAsked={turn.seq === asked}
                />
              </li>
            )
          })}
        </ol>
      </div>
      {newCount > 0 && (
        <button type="button" className={classes.news} onClick={() => virtualizer.scrollToEnd()}>
          {count(newCount)} new {newCount === 1 ? 'turn' : 'turns'} ↓
        </button>
      )}
    </div>
  )
}
