import { Anchor } from '@mantine/core'

import type { PushReceipt } from '#contract/experiments.ts'

type Props = {
  ordinal: number | undefined
  isLatest: boolean
  isChanged: boolean
  /** The version the unsaved text began from, if it is not the one shown. */
  otherBase: number | null
  receipt: PushReceipt | null
  onDiscard: () => void
}

/** What the text in the editor is: a version as stored, a change of one, or what the last push made of it. */
export function DefinitionStatus({ ordinal, isLatest, isChanged, otherBase, receipt, onDiscard }: Props) {
  if (isChanged)
    return (
      <span>
        {`Unsaved changes to v${otherBase ?? ordinal}, kept in this browser. `}
        <Anchor component="button" type="button" fz={13} onClick={onDiscard}>
          Discard
        </Anchor>
      </span>
    )
  if (receipt)
    return (
      <output>
        {receipt.created
          ? `This made v${receipt.ordinal}.`
          : `This equals v${receipt.ordinal}: nothing new was stored.`}
      </output>
    )
  return <span>{isLatest ? `v${ordinal}, the latest` : `v${ordinal}; a push makes it the latest again`}</span>
}
