import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'

import type { PushReceipt } from '#contract/experiments.ts'
import { paths } from '#src/paths.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import { SubmitVersion } from './SubmitVersion.tsx'

type Props = {
  /** The text's origin: "v3, the latest". */
  origin: ReactNode
  isChanged: boolean
  /** The version that the last push was identical to, while the editor still shows the pushed text. */
  receipt: PushReceipt | null
  onDiscard: () => void
}

/** The status of the text in the editor: saved, changed, or the result of the last push. */
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
