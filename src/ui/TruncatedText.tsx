import classes from './TruncatedText.module.css'

const tailLength = 14

type Props = {
  children: string
  /** For its tooltip, where the text itself has been shortened. */
  whole?: string
}

/** A long name cut in the middle, so that both the folder and the test stay readable; whole in its tooltip. */
export function TruncatedText({ children, whole = children }: Props) {
  const isLong = children.length > tailLength * 2
  const cut = isLong ? wholeCharacters(children, children.length - tailLength) : children.length
  return (
    <span className={classes.root} title={whole}>
      <span className={classes.head}>{children.slice(0, cut)}</span>
      {cut < children.length && <span className={classes.tail}>{children.slice(cut)}</span>}
    </span>
  )
}

/** Never between the halves of an emoji, nor between a letter and what is set on it. */
const wholeCharacters = (text: string, cut: number) => {
  const joined = /^(?:\p{M}|\u200D|\uFE0F|[\uDC00-\uDFFF])/u
  let end = cut
  while (end > 0 && joined.test(text.slice(end))) end -= 1
  return end
}
