import { useMediaQuery } from '@mantine/hooks'

import { limits } from '#contract/wire/limit.ts'
import { useExperimentId } from '#src/url/use-experiment-id.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { axisSelectors, readSelectors } from './selected-variants.ts'
import { SubmitForm } from './SubmitForm.tsx'

const closed = Object.fromEntries(
  ['submit', 'version', 'variant', ...axisSelectors.map(({ field }) => field), 'repeat', 'flag', 'mock'].map((name) => [
    name,
    null,
  ]),
)

/** Open while the URL has `submit`; the other parameters of `SubmitQuery` in src/paths.ts fill it in. */
export function SubmitDialog() {
  const id = useExperimentId()
  const url = useQueryState()
  const isNarrow = useMediaQuery('(max-width: 48em)')
  const repeat = Math.trunc(Number(url.one('repeat')))
  return (
    <Dialog
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
          selectors: readSelectors(url.all),
          repeat: repeat >= 1 ? Math.min(repeat, limits.repeat) : 1,
          flags: url.all('flag'),
          mock: url.one('mock') !== '',
        }}
      />
    </Dialog>
  )
}
