import { Modal } from '@mantine/core'

import type { Experiment } from '#contract/experiments.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { ForkForm } from './ForkForm.tsx'

/** Open while the URL has `fork`. */
export function ForkDialog({ source }: { source: Experiment }) {
  const url = useQueryState()
  return (
    <Modal opened={url.one('fork') !== ''} onClose={() => url.push({ fork: null })} title={`Fork ${source.id}`}>
      <ForkForm source={source} />
    </Modal>
  )
}
