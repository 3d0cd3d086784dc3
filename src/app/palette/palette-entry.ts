/** One line of the palette. It is found by its label, its description and its keywords. */
export type PaletteEntry = {
  id: string
  label: string
  description?: string
  keywords?: readonly string[]
  run: () => void
}

export type PaletteGroup = { heading: string; entries: readonly PaletteEntry[] }

export type PaletteHandlers = { go: (href: string) => void; onHelp: () => void }
