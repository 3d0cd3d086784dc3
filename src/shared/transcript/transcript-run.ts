import { createContext } from 'react'

/** The run whose turns are below, for their images; null where images cannot be loaded, as in a published report. */
export const TranscriptRun = createContext<string | null>(null)
