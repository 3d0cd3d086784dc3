import { createContext } from 'react'

/**
 * Where a view is shown: on its own page, in a figure of a report without controls, or in the form of such a figure with
 * the controls of the view.
 */
export const FigureContext = createContext<'page' | 'figure' | 'form'>('page')
