import { hunksBetween } from '#src/editor/text-hunks.ts'
import classes from './FieldDiff.module.css'
import { fieldWords } from './words.ts'

type Part = { kind: 'same' | 'removed' | 'added'; text: string }

function partsOf(before: string, after: string): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const { from, to, insert } of hunksBetween(before, after)) {
    parts.push({ kind: 'same', text: before.slice(at, from) })
    parts.push({ kind: 'removed', text: before.slice(from, to) }, { kind: 'added', text: insert })
    at = to
  }
  return [...parts, { kind: 'same' as const, text: before.slice(at) }].filter(({ text }) => text !== '')
}

type Props = {
  name: string
  before: string
  after: string
  /** It stands below the field of that name. */
  isBelowField?: boolean
}

/** One field's change in place: what goes is struck, what comes is underlined. */
export function FieldDiff({ name, before, after, isBelowField = false }: Props) {
  return (
    <figure className={classes.diff} aria-label={fieldWords(name)}>
      {!isBelowField && <figcaption className={classes.name}>{fieldWords(name)}</figcaption>}
      <p className={classes.text}>
        {partsOf(before, after).map(({ kind, text }, at) => {
          const key = `${at} ${kind}`
          if (kind === 'removed') return <del key={key}>{text}</del>
          return kind === 'added' ? <ins key={key}>{text}</ins> : <span key={key}>{text}</span>
        })}
      </p>
    </figure>
  )
}
