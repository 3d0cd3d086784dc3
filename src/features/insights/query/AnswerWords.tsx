import classes from './QueryPage.module.css'

type Props = { isCanceled: boolean; isPart: boolean; isBefore: boolean }

/** Where the answer below is not the answer to what the editor holds. */
export function AnswerWords({ isCanceled, isPart, isBefore }: Props) {
  const words = isCanceled
    ? 'Canceled: nothing waits for this answer any more. The engine gives it up within 20 seconds, and the next may wait as long.'
    : isPart
      ? 'The answer below is to the part that was selected.'
      : isBefore
        ? 'The answer below is to the statement before your edits.'
        : null
  return words && <p className={classes.quiet}>{words}</p>
}
