import { Modal, type ModalProps } from '@mantine/core'

import { useFocusReturn } from './focus-return.ts'

/** Every dialog of the product. When it closes, the focus returns to where it was. */
export function Dialog(props: ModalProps) {
  useFocusReturn(props.opened)
  return <Modal returnFocus={false} {...props} />
}
