import { closestMatch } from 'leven'

/** The name that was probably meant: one with two neighbouring letters the other way round, or else one or two edits away. */
export const nearestName = (written: string, names: readonly string[]): string | undefined =>
  names.find((name) => isSwapped(written, name)) ??
  closestMatch(written, names, { maxDistance: written.length > 4 ? 2 : 1 })

const isSwapped = (written: string, name: string) =>
  written.length === name.length &&
  [...name].some((_, n) => written === name.slice(0, n) + name.charAt(n + 1) + name.charAt(n) + name.slice(n + 2))
