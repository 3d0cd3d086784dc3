import type { FailureSignature } from '#contract/failure-signatures.ts'
import { counted } from '#src/format/numbers.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { SignatureText } from './SignatureText.tsx'
import classes from './SignatureList.module.css'

type Props = { signatures: readonly FailureSignature[]; hrefOf: (signature: string) => string }

/** Failures as lines, each a link to its runs. */
export const SignatureList = ({ signatures, hrefOf }: Props) => (
  <ol className={classes.list}>
    {signatures.map((signature) => (
      <li key={signature.id}>
        <TextLink className={classes.line} href={hrefOf(signature.id)}>
          <SignatureText signature={signature} />
          <span className={classes.runs}>{counted(signature.runs, 'run')}</span>
        </TextLink>
      </li>
    ))}
  </ol>
)
