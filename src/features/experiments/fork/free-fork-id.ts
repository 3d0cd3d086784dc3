/** The id the platform would choose, as far as this page knows what is taken: `<id>-v2`, `<id>-v2-2`, `<id>-v2-3`… */
export function freeForkId(sourceId: string, taken: readonly string[]): string {
  const first = `${sourceId}-v2`
  if (!taken.includes(first)) return first
  const counters = taken.map((_, index) => `${first}-${index + 2}`)
  return counters.find((id) => !taken.includes(id)) ?? first
}
