import classes from './QueryPage.module.css'

type Props = { isCanceled: boolean; isPart: boolean; isBefore: boolean }

/** Explains when the results below don't belong to the text in the editor. */
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
