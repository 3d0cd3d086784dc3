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

/** The place of the option that an arrow key selects. The list starts over at its end. */
export const placeAfter = (active: number, by: number, count: number) =>
  count === 0 ? 0 : (active + by + count) % count
