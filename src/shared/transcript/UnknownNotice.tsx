import type { UnknownLines } from '#contract/transcripts.ts'
import { describeUnknown } from './describe-unknown.ts'
import classes from './TranscriptPane.module.css'

/** Says above the turns that some lines of the agent could not be read. */
export function UnknownNotice({ lines }: { lines: UnknownLines }) {
  const { title, hint } = describeUnknown(lines)
  return (
    <p className={classes.unknown} role="note">
      <strong>{withCode(title)}.</strong> {hint && withCode(hint)}
    </p>
  )
}

const withCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))
