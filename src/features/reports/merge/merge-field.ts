/** A title or description that others and I may both have changed: what stands now, or that both did. */
export function mergeField(
  base: string,
  mine: string,
  theirs: string,
): { value: string } | { mine: string; theirs: string } {
  if (mine === base || mine === theirs) return { value: theirs }
  return theirs === base ? { value: mine } : { mine, theirs }
}
