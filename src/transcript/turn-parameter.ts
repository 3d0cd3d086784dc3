import { createContext } from 'react'

/** The name under which the URL keeps the turn; a page with two conversations has two. */
export const TurnParameter = createContext('turn')
