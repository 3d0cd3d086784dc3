import { visibleText } from '#contract/visible-text.ts'
import classes from './TruncatedText.module.css'

const tailLength = 14

type Props = {
  children: string
  /** The full text for the tooltip, if the text itself is already shortened. */
  whole?: string
}

/** Shortens a long name in the middle, so that the folder and the test stay readable. The tooltip has the full name. */
export function TruncatedText({ children: given, whole = given }: Props) {
  const children = visibleText(given)
  const isLong = children.length > tailLength * 2
  const cut = isLong ? wholeCharacters(children, children.length - tailLength) : children.length
  return (
    <span className={classes.root} title={visibleText(whole)}>
      <span className={classes.head}>{children.slice(0, cut)}</span>
      {cut < children.length && <span className={classes.tail}>{children.slice(cut)}</span>}
    </span>
  )
}

/** Never splits an emoji, or a letter and its combining marks. */
const wholeCharacters = (text: string, cut: number) => {
  const joined = /^(?:\p{M}|\u200D|\uFE0F|[\uDC00-\uDFFF])/u
  let end = cut
  while (end > 0 && joined.test(text.slice(end))) end -= 1
  return end
}
