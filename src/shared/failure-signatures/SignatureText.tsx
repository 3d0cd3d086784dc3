import type { FailureSignature } from '#contract/failure-signatures.ts'
import { counted } from '#src/format/numbers.ts'
import { kindLabels } from './kind-labels.ts'
import classes from './SignatureText.module.css'

type Props = {
  signature: Pick<FailureSignature, 'signature' | 'message' | 'kind' | 'example' | 'testNames' | 'testCount'>
}

/** What failures with one signature say, with the values of the newest, and which tests fail so. */
export const SignatureText = ({ signature }: Props) => (
  <span className={classes.root} title={signature.signature}>
    <span className={classes.text}>{signature.message}</span>
    <small className={classes.kind}>{testsOrKind(signature)}</small>
  </span>
)

/** `totals`, `totals and 2 more tests`, or the kind of a failure that is of no test. The test with the message is named. */
function testsOrKind({ kind, example, testNames, testCount }: Props['signature']) {
  const first = example.testName ?? testNames[0]
  if (first === undefined || kind === 'exit_code' || kind === 'test') return kindLabels[kind]
  return testCount > 1 ? `${first} and ${counted(testCount - 1, 'more test')}` : first
}
