import { forkId } from '#contract/fork-names.ts'

/** The id the platform would choose, as far as this page knows which ids are taken. */
export function freeForkId(sourceId: string, taken: readonly string[]): string {
  const candidates = [sourceId, ...taken].map((_, index) => forkId(sourceId, index + 1))
  return candidates.find((id) => !taken.includes(id)) ?? forkId(sourceId, 1)
}

const sharedStart = 90

/** A search that finds the forks of an experiment; the ids of a long one share only their start. */
export const forkSearch = (sourceId: string) =>
  sourceId.length > sharedStart ? sourceId.slice(0, sharedStart) : forkId(sourceId, 1)
