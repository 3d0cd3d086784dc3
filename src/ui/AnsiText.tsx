import { useMemo } from 'react'

import { ansiAttributes, ansiColors } from './ansi-attributes.ts'
import { parseAnsi } from './ansi.ts'
import classes from './AnsiText.module.css'

/** Terminal output in its own colors. */
export function AnsiText({ children, label }: { children: string; label: string }) {
  const spans = useMemo(() => parseAnsi(children), [children])
  return (
    <section className={`${classes.root} ${ansiColors}`} aria-label={label} dir="auto">
      <pre className={classes.text}>
        {spans.map(({ at, text, style }) => (
          <span key={at} {...ansiAttributes(style)}>
            {text}
          </span>
        ))}
      </pre>
    </section>
  )
}
