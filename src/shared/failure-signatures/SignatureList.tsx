import type { FailureSignature } from '#contract/failure-signatures.ts'
import { counted } from '#src/format/numbers.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import lists from '#src/ui/lists.module.css'
import mutedText from '#src/ui/muted-text.module.css'
import { SignatureText } from './SignatureText.tsx'
import classes from './SignatureList.module.css'

type Props = { signatures: readonly FailureSignature[]; hrefOf: (signature: string) => string }

/** Failures as lines, each a link to its runs. */
export const SignatureList = ({ signatures, hrefOf }: Props) => (
  <ol className={lists.plain}>
    {signatures.map((signature) => (
      <li key={signature.id}>
        <TextLink className={classes.line} href={hrefOf(signature.id)}>
          <SignatureText signature={signature} />
          <span className={mutedText.number}>{counted(signature.runs, 'run')}</span>
        </TextLink>
      </li>
    ))}
  </ol>
)
