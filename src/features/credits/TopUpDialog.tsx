import { Modal } from '@mantine/core'

import { useQueryState } from '#src/url/use-query-state.ts'
import { TopUpForm } from './TopUpForm.tsx'

/** Open while the URL holds `add`. */
export function TopUpDialog() {
  const url = useQueryState()
  return (
    <Modal opened={url.one('add') !== ''} onClose={() => url.push({ add: null })} title="Top up credit">
      <TopUpForm />
    </Modal>
  )
}
