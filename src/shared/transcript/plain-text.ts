import { useLocalStorage } from '@mantine/hooks'
import { createContext } from 'react'

/** True if every turn shows its original text. */
export const PlainText = createContext(false)

/** A setting of the reader, so this browser stores it. */
export const usePlainText = () =>
  useLocalStorage({ key: 'assay.transcript.plain', defaultValue: false, getInitialValueInEffect: false })
