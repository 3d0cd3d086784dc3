/** Merges a title or description: the new value, or both values if both sides changed it. */
export function mergeField(
  base: string,
  mine: string,
  theirs: string,
): { value: string } | { mine: string; theirs: string } {
  if (mine === base || mine === theirs) return { value: theirs }
  return theirs === base ? { value: mine } : { mine, theirs }
}
