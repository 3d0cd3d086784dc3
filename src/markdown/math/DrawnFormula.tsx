import { type KatexOptions, render } from 'katex'
import styles from 'katex/dist/katex.min.css?url'
import { useLayoutEffect, useRef } from 'react'

/** No links, images, classes or HTML, few macros, and no sizes that would cover the page. MathML is for screen readers. */
const options: KatexOptions = {
  trust: false,
  strict: 'ignore',
  maxExpand: 200,
  maxSize: 20,
  throwOnError: true,
  errorColor: 'currentcolor',
}

type Props = { tex: string; isBlock: boolean }

export function DrawnFormula({ tex, isBlock }: Props) {
  const ref = useRef<HTMLElement>(null)
  // Browser API: KaTeX builds elements, because a string of HTML would need inline styles, which the policy forbids.
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    try {
      render(tex, element, { ...options, displayMode: isBlock })
    } catch {
      element.textContent = tex
    }
  }, [tex, isBlock])
  return (
    <>
      {/* React adds it to the page once. */}
      <link rel="stylesheet" href={styles} precedence="default" />
      <span ref={ref} data-formula={tex} />
    </>
  )
}
