import { useVirtualizer } from '@tanstack/react-virtual'
import { use, useEffect, useEffectEvent, useMemo, useRef } from 'react'

import type { Turn } from '#contract/transcripts.ts'
import { OutcomeGlyph } from '#src/ui/OutcomeGlyph.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import type { CallPairs } from './call-pairs.ts'
import { toOutline } from './outline.ts'
import classes from './Outline.module.css'
import { TurnParameter } from './turn-parameter.ts'

/** Messages and tool calls as a list of links. */
export function Outline({ turns, pairs }: { turns: readonly Turn[]; pairs: CallPairs }) {
  const url = useQueryState()
  const parameter = use(TurnParameter)
  const scroller = useRef<HTMLElement>(null)
  const lines = useMemo(() => toOutline(turns, pairs), [turns, pairs])
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 28,
    overscan: 10,
  })
  const requested = url.one(parameter)
  const at = requested === '' ? -1 : lines.findLastIndex(({ seq }) => seq <= Number(requested))
  const reveal = useEffectEvent((index: number) => virtualizer.scrollToIndex(index, { align: 'auto' }))
  // Browser API: scrolls the outline to the turn in the URL.
  useEffect(() => {
    if (at !== -1) reveal(at)
  }, [at])
  return (
    <nav ref={scroller} className={classes.outline} aria-label="Outline">
      <ol className={classes.list} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const line = lines[index]
          if (!line) return null
          return (
            <li key={line.seq} className={classes.item} style={{ translate: `0 ${start}px` }}>
              <button
                type="button"
                className={classes.line}
                data-call={line.isCall || undefined}
                style={line.depth > 0 ? { paddingInlineStart: 10 + 14 * line.depth } : undefined}
                aria-current={index === at || undefined}
                title={line.text}
                onClick={() => url.set({ [parameter]: String(line.seq) })}
              >
                <span className={classes.label}>{line.label}</span>
                {line.failed && <OutcomeGlyph outcome="failed" />}
                <bdi className={classes.text}>{line.text}</bdi>
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
