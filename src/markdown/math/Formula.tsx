import { lazy, Suspense } from 'react'

import classes from './Formula.module.css'

/** A longer formula is shown as its text: nobody writes one by hand, and drawing it could take long. */
const longest = 2000

/** The library and its fonts load only if a text has a formula. */
const DrawnFormula = lazy(async () => ({ default: (await import('./DrawnFormula.tsx')).DrawnFormula }))

type Props = { tex: string; isBlock: boolean }

/** A formula in TeX. What cannot be drawn stays text. */
export function Formula({ tex, isBlock }: Props) {
  const text = <code>{tex}</code>
  const formula =
    tex.length > longest ? (
      text
    ) : (
      <Suspense fallback={text}>
        <DrawnFormula tex={tex} isBlock={isBlock} />
      </Suspense>
    )
  return <span className={isBlock ? classes.block : classes.inline}>{formula}</span>
}
