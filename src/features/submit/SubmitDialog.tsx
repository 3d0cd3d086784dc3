import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'

import { limits } from '#contract/wire/limit.ts'
import { useExperimentId } from '#src/url/use-experiment-id.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { SubmitForm } from './SubmitForm.tsx'

const closed = { submit: null, version: null, variant: null, repeat: null, flag: null, mock: null }

/** Open while the URL holds `submit`; `version`, `variant`, `repeat`, `flag` and `mock` fill it in beforehand. */
export function SubmitDialog() {
  const id = useExperimentId()
  const url = useQueryState()
  const isNarrow = useMediaQuery('(max-width: 48em)')
  const repeat = Math.trunc(Number(url.one('repeat')))
  return (
    <Modal
      opened={url.one('submit') !== ''}
      onClose={() => url.push(closed)}
      title="Submit runs"
      size={920}
      fullScreen={isNarrow}
    >
      <SubmitForm
        experimentId={id}
        prefill={{
          version: url.one('version'),
          variantIds: url.all('variant'),
          repeat: repeat >= 1 ? Math.min(repeat, limits.repeat) : 1,
          flags: url.all('flag'),
          mock: url.one('mock') !== '',
        }}
      />
    </Modal>
  )
}
