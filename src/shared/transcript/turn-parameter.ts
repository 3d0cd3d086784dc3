import { createContext } from 'react'

/** The URL parameter of the current turn. A page with two transcripts has two. */
export const TurnParameter = createContext('turn')
