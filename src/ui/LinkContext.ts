import { type ComponentType, createContext, type ReactNode } from 'react'

export type LinkProps = {
  href: string
  className?: string
  children: ReactNode
  'aria-current'?: 'page'
  tabIndex?: number
}

/** The app passes its router here, so that ui can link and navigate without depending on a router. */
export const LinkContext = createContext<{ Link: ComponentType<LinkProps>; open: (href: string) => void }>({
  Link: () => null,
  open: (href) => window.location.assign(href),
})
