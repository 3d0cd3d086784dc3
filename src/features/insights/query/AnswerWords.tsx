import classes from './QueryPage.module.css'

type Props = { isCanceled: boolean; isPart: boolean; isBefore: boolean }

/** Where the answer below is not the answer to what the editor holds. */
export function AnswerWords({ isCanceled, isPart, isBefore }: Props) {
  const words = isCanceled
    ? 'Canceled. The query may take up to 20 s to stop, and the next one waits for it.'
    : isPart
      ? 'Results below are for the selected text.'
      : isBefore
        ? 'Results below are from before your edits.'
        : null
  return words && <p className={classes.quiet}>{words}</p>
}
