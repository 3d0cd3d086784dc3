import type { CapturedTest } from '#contract/tests.ts'
import { AnsiText } from './AnsiText.tsx'
import classes from './TestTails.module.css'
import mutedText from './muted-text.module.css'

type Props = {
  test: Pick<CapturedTest, 'stderrTail' | 'stdoutTail'>
  /** Distinguishes two outputs on one page, such as "Left". */
  whose?: string
  /** The run executed elsewhere. */
  isImported: boolean
  /** Why the output was removed. */
  removed?: string | undefined
}

/** The end of each output stream of a test, or a note that there is no output. */
export function TestTails({ test: { stderrTail, stdoutTail }, whose, isImported, removed }: Props) {
  if (stderrTail === '' && stdoutTail === '')
    return (
      <p className={mutedText.smallNote}>
        {removed ?? (isImported ? 'The output of this test was not published.' : 'No output.')}
      </p>
    )
  return (
    <>
      <Tail name="stderr" whose={whose} text={stderrTail} />
      <Tail name="stdout" whose={whose} text={stdoutTail} />
    </>
  )
}

const Tail = ({ name, whose, text }: { name: string; whose: string | undefined; text: string }) =>
  text !== '' && (
    <div>
      <h3 className={classes.stream}>{name}</h3>
      <AnsiText label={whose ? `${whose}: ${name}` : name}>{text}</AnsiText>
    </div>
  )
