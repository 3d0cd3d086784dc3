import { closestMatch } from 'leven'

/**
 * Returns the name that was probably meant: one with two adjacent letters swapped, or otherwise one within one or two
 * edits.
 */
export const nearestName = (written: string, names: readonly string[]): string | undefined =>
  names.find((name) => isSwapped(written, name)) ??
  closestMatch(written, names, { maxDistance: written.length > 4 ? 2 : 1 })

const isSwapped = (written: string, name: string) =>
  written.length === name.length &&
  [...name].some((_, n) => written === name.slice(0, n) + name.charAt(n + 1) + name.charAt(n) + name.slice(n + 2))
