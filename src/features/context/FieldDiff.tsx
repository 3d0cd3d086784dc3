import { diffParts } from './diff-parts.ts'
import classes from './FieldDiff.module.css'
import { fieldLabels } from './labels.ts'

type Props = {
  name: string
  before: string
  after: string
  /** True if the diff describes the input of that name. */
  isBelowField?: boolean
}

/** The change of one field: removed text is struck through, added text is underlined. */
export function FieldDiff({ name, before, after, isBelowField = false }: Props) {
  return (
    <figure className={classes.diff} aria-label={fieldLabels(name)}>
      {!isBelowField && <figcaption className={classes.name}>{fieldLabels(name)}</figcaption>}
      <p className={classes.text}>
        {diffParts(before, after).map(({ kind, text }, at) => {
          const key = `${at} ${kind}`
          if (kind === 'removed') return <del key={key}>{text}</del>
          return kind === 'added' ? <ins key={key}>{text}</ins> : <span key={key}>{text}</span>
        })}
      </p>
    </figure>
  )
}
