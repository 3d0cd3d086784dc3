import { type ReactNode, use } from 'react'

import { FigureContext } from './FigureContext.ts'

type Props = {
  /** True for controls of the view, which the form of a figure shows too. */
  andForm?: boolean
  children: ReactNode
}

/** Controls and details of a view that a figure of a report leaves out. */
export function PageOnly({ andForm = false, children }: Props) {
  const place = use(FigureContext)
  return (place === 'page' || (andForm && place === 'form')) && children
}
