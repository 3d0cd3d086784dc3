import type { ReactNode } from 'react'

import { DefinitionStatus } from './DefinitionStatus.tsx'
import { useDraft } from './use-draft.ts'
import { usePush } from './use-push.ts'
import { Workbench } from './Workbench.tsx'

type Props = {
  /** Names what is written, for its draft. */
  about: string
  stored: string
  /** What the stored text is: "v3, the latest". */
  origin: string
  pushLabel: string
  renderActions: (text: string) => ReactNode
  renderAside: (text: string) => ReactNode
}

/** A definition to change and push: its draft, what became of the last push, and the workbench around both. */
export function DefinitionEditor({ about, stored, origin, pushLabel, renderActions, renderAside }: Props) {
  const draft = useDraft(about, stored)
  const push = usePush(draft.clear)
  return (
    <Workbench
      text={draft.text}
      onChange={draft.write}
      onPush={() => push.start(draft.text)}
      pending={push.pending}
      refused={push.refused}
      pushLabel={pushLabel}
      status={
        <DefinitionStatus
          origin={origin}
          isChanged={draft.isChanged}
          receipt={push.equalled?.text === draft.text ? push.equalled.receipt : null}
          onDiscard={draft.clear}
        />
      }
      actions={renderActions(draft.text)}
      aside={renderAside(draft.text)}
    />
  )
}
