import { type CSSProperties, type ReactNode, useCallback, useState } from 'react'

import { type Column, leastWidths } from './column.ts'
import classes from './DataTable.module.css'

type Props<Row> = {
  label: string
  columns: readonly Column<Row>[]
  /** Columns keep their widths, and the frame scrolls sideways if it is narrower. */
  isWide: boolean
  rowCount: number
  children: ReactNode
}

/** The table of a list. Where its columns need more room, a wide one scrolls sideways, and the first column stays. */
export function TableFrame<Row>({ label, columns, isWide, rowCount, children }: Props<Row>) {
  const [isScrolling, setIsScrolling] = useState(false)
  // Browser API: only a frame that overflows scrolls, because the head of any other one sticks to the window.
  const watch = useCallback(
    (frame: HTMLElement | null) => {
      if (!frame || !isWide) return
      const observer = new ResizeObserver(() => setIsScrolling(frame.scrollWidth > frame.clientWidth))
      observer.observe(frame)
      for (const table of frame.children) observer.observe(table)
      return () => observer.disconnect()
    },
    [isWide],
  )
  const { always, sm, md, lg, xl } = leastWidths(columns)
  const widths = { '--always': always, '--sm': sm, '--md': md, '--lg': lg, '--xl': xl } as CSSProperties
  return (
    <div
      ref={watch}
      className={classes.frame}
      data-scrolling={isScrolling || undefined}
      {...(isScrolling && { role: 'region', 'aria-label': `${label}, scrollable`, tabIndex: 0 })}
    >
      <table
        className={classes.table}
        aria-rowcount={rowCount}
        data-wide={isWide || undefined}
        style={isWide ? widths : undefined}
      >
        {children}
      </table>
    </div>
  )
}
