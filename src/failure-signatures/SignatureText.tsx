import type { FailureKind } from '#contract/failure-signatures.ts'
import { kindLabels } from './kind-labels.ts'
import classes from './SignatureText.module.css'

type Props = { signature: string; kind: FailureKind }

/** A signature with its placeholders set apart from its words, and what it is made of. */
export const SignatureText = ({ signature, kind }: Props) => (
  <span className={classes.root} title={signature}>
    <span className={classes.text}>
      {signature.split(placeholder).map((part, place) =>
        place % 2 === 1 ? (
          // oxlint-disable-next-line react/no-array-index-key -- The parts of a text have no other identity.
          <i key={place}>{part}</i>
        ) : (
          part
        ),
      )}
    </span>
    <small className={classes.kind}>{kindLabels[kind]}</small>
  </span>
)

const placeholder = /(<(?:text|path|url|id|address|time|hash|number)>)/u
