import { Modal, type ModalProps } from '@mantine/core'

import { useFocusReturn } from './focus-return.ts'

/** Its header is an HTML header, which outside the page's sections would be another banner. */
const notABanner = { header: { role: 'presentation' } }

/** Every dialog of the product. When it closes, the focus returns to where it was. */
export function Dialog(props: ModalProps) {
  useFocusReturn(props.opened)
  return <Modal returnFocus={false} attributes={notABanner} {...props} />
}
