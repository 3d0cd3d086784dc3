import type { CapturedTest } from '#contract/tests.ts'
import { AnsiText } from './AnsiText.tsx'
import classes from './TestTails.module.css'

type Props = {
  test: Pick<CapturedTest, 'stderrTail' | 'stdoutTail'>
  /** Tells it from another test's output on the same page: "Left". */
  whose?: string
}

/** What a test printed: the end of each stream, or that there was nothing. */
export function TestTails({ test: { stderrTail, stdoutTail }, whose }: Props) {
  if (stderrTail === '' && stdoutTail === '') return <p className={classes.silent}>No output.</p>
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
