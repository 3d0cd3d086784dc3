import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'

import { useExperimentId } from '#src/url/use-experiment-id.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { SubmitForm } from './SubmitForm.tsx'

/** Open while the URL holds `submit`; `version` and `variant` fill it in beforehand. */
export function SubmitDialog() {
  const id = useExperimentId()
  const url = useQueryState()
  const isNarrow = useMediaQuery('(max-width: 48em)')
  return (
    <Modal
      opened={url.one('submit') !== ''}
      onClose={() => url.push({ submit: null, version: null, variant: null })}
      title="Submit runs"
      size={920}
      fullScreen={isNarrow}
    >
      <SubmitForm experimentId={id} version={url.one('version')} variantIds={url.all('variant')} />
    </Modal>
  )
}
