import { useElementSize } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'

import classes from './ChartFrame.module.css'

export type Hint = { x: number; y: number; text: ReactNode }

type Inside = { size: { width: number; height: number }; backdrop: HTMLElement }

type Props = {
  label: string
  height: number
  hint: Hint | null
  children: (inside: Inside) => ReactNode
}

/** The frame of a chart: measures its size, with a canvas below and a tooltip at the pointer. */
export function ChartFrame({ label, height, hint, children }: Props) {
  const { ref, width } = useElementSize<HTMLElement>()
  const [backdrop, setBackdrop] = useState<HTMLDivElement | null>(null)
  return (
    <figure ref={ref} className={classes.frame} style={{ height }} aria-label={label}>
      <div ref={setBackdrop} className={classes.backdrop} />
      {width > 0 && backdrop && children({ size: { width, height }, backdrop })}
      {hint && (
        <div
          className={classes.hint}
          style={{ top: hint.y + 12, ...(hint.x > width / 2 ? { right: width - hint.x + 8 } : { left: hint.x + 8 }) }}
        >
          {hint.text}
        </div>
      )}
    </figure>
  )
}
