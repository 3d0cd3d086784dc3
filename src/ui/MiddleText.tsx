import classes from './MiddleText.module.css'

const tailLength = 14

/** A long name cut in the middle, so that both the folder and the test stay readable; whole in its tooltip. */
export function MiddleText({ children }: { children: string }) {
  const cut = children.length > tailLength * 2 ? children.length - tailLength : children.length
  return (
    <span className={classes.root} title={children}>
      <span className={classes.head}>{children.slice(0, cut)}</span>
      {cut < children.length && <span className={classes.tail}>{children.slice(cut)}</span>}
    </span>
  )
}
