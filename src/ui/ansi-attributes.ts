import type { AnsiStyle } from './ansi.ts'
import classes from './AnsiText.module.css'

/** Sets the palette on an element that contains terminal output. */
export const ansiColors = classes.colors ?? ''

/** The attributes for a terminal style. Colors are classes, because a strict CSP blocks inline styles. */
export function ansiAttributes({ color, background, bold, dim, italic, underline, inverse }: AnsiStyle) {
  const names = [bold && 'bold', dim && 'dim', italic && 'italic', underline && 'underline', inverse && 'inverse']
  return {
    'data-fg': inverse ? background : color,
    'data-bg': inverse ? (color ?? 'ink') : background,
    className: names.flatMap((name) => (name ? (classes[name] ?? []) : [])).join(' ') || undefined,
  }
}
