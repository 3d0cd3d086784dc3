import { forkId } from '#contract/fork-names.ts'

/** The id that the platform would choose, as far as the taken ids are known here. */
export function freeForkId(sourceId: string, taken: readonly string[]): string {
  const candidates = [sourceId, ...taken].map((_, index) => forkId(sourceId, index + 1))
  return candidates.find((id) => !taken.includes(id)) ?? forkId(sourceId, 1)
}

const sharedStart = 90

/** A search that finds the forks of an experiment. Forks of a long id share only its start. */
export const forkSearch = (sourceId: string) =>
  sourceId.length > sharedStart ? sourceId.slice(0, sharedStart) : forkId(sourceId, 1)
