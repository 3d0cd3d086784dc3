import { useMemo } from 'react'

import { type AnsiStyle, parseAnsi } from './ansi.ts'
import classes from './AnsiText.module.css'

/** Terminal output in its own colours. Colours are classes, never inline styles, so a strict CSP lets them be. */
export function AnsiText({ children, label }: { children: string; label: string }) {
  const spans = useMemo(() => parseAnsi(children), [children])
  return (
    <section className={classes.root} aria-label={label} dir="auto">
      <pre className={classes.text}>
        {spans.map(({ at, text, style }) => (
          <span key={at} {...toAttributes(style)}>
            {text}
          </span>
        ))}
      </pre>
    </section>
  )
}

function toAttributes({ color, background, bold, dim, italic, underline, inverse }: AnsiStyle) {
  const names = [bold && 'bold', dim && 'dim', italic && 'italic', underline && 'underline', inverse && 'inverse']
  return {
    'data-fg': inverse ? background : color,
    'data-bg': inverse ? (color ?? 'ink') : background,
    className: names.flatMap((name) => (name ? (classes[name] ?? []) : [])).join(' ') || undefined,
  }
}
