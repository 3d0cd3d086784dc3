import type { AnsiStyle } from './ansi.ts'
import classes from './AnsiText.module.css'

/** Of whatever holds terminal output: the palette its spans draw from. */
export const ansiColors = classes.colors ?? ''

/** What gives an element a terminal's style. Colours are classes, never inline styles, so a strict CSP lets them be. */
export function ansiAttributes({ color, background, bold, dim, italic, underline, inverse }: AnsiStyle) {
  const names = [bold && 'bold', dim && 'dim', italic && 'italic', underline && 'underline', inverse && 'inverse']
  return {
    'data-fg': inverse ? background : color,
    'data-bg': inverse ? (color ?? 'ink') : background,
    className: names.flatMap((name) => (name ? (classes[name] ?? []) : [])).join(' ') || undefined,
  }
}
