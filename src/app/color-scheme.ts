import { localStorageColorSchemeManager } from '@mantine/core'

/** The key is the one index.html reads before the first paint. */
export const colorScheme = localStorageColorSchemeManager({ key: 'assay.color-scheme' })
