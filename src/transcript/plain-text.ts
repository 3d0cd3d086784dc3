import { useLocalStorage } from '@mantine/hooks'
import { createContext } from 'react'

/** Whether every turn is shown as written. */
export const PlainText = createContext(false)

/** How somebody likes to read is theirs, not the page's, so this browser keeps it. */
export const usePlainText = () =>
  useLocalStorage({ key: 'assay.transcript.plain', defaultValue: false, getInitialValueInEffect: false })
