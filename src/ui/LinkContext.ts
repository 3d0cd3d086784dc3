import { type ComponentType, createContext, type ReactNode } from 'react'

export type LinkProps = { href: string; className?: string; children: ReactNode; 'aria-current'?: 'page' }

/** The app gives its router here, so that looks can link and open without knowing which router that is. */
export const LinkContext = createContext<{ Link: ComponentType<LinkProps>; open: (href: string) => void }>({
  Link: () => null,
  open: (href) => window.location.assign(href),
})
