import type { ReactNode, Ref } from 'react'

type Props = { label: string; className?: string | undefined; ref?: Ref<HTMLElement>; children: ReactNode }

/** A part that scrolls by itself. The keyboard has to reach it, even if nothing in it can have the focus. */
export const ScrollRegion = ({ label, ...props }: Props) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
  <section {...props} aria-label={label} tabIndex={0} />
)
