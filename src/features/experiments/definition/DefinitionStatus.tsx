import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'

import type { PushReceipt } from '#contract/experiments.ts'
import { paths } from '#src/paths.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { SubmitVersion } from './SubmitVersion.tsx'

type Props = {
  /** What the text began from: "v3, the latest". */
  origin: ReactNode
  isChanged: boolean
  /** What the last push equalled, while the editor still shows what was pushed. */
  receipt: PushReceipt | null
  onDiscard: () => void
}

/** What the text in the editor is: as stored, changed, or what the last push made of it. */
export const DefinitionStatus = ({ origin, isChanged, receipt, onDiscard }: Props) => (
  <output>
    {receipt ? <Receipt receipt={receipt} /> : isChanged ? 'Unsaved changes (draft kept in this browser).' : origin}{' '}
    {isChanged && (
      <Anchor component="button" type="button" fz={13} onClick={onDiscard}>
        Discard
      </Anchor>
    )}
  </output>
)

function Receipt({ receipt: { experimentId, ordinal, fingerprint } }: { receipt: PushReceipt }) {
  const href = paths.experiment(experimentId, 'definition', { version: fingerprint })
  return (
    <>
      {'Identical to '}
      <TextLink href={href}>{`v${ordinal} of ${experimentId}`}</TextLink>, so no new version was created.{' '}
      <SubmitVersion experimentId={experimentId} fingerprint={fingerprint} ordinal={ordinal} />
    </>
  )
}
