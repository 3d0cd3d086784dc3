import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A real file of another tool, beside the repository or beside the folder of its worktrees; null where there is none. */
export const publishedSample = (name: string) =>
  ['../../../../../', '../../../../../../']
    .map((above) => fileURLToPath(new URL(`${above}shared/data/samples/${name}`, import.meta.url)))
    .find((place) => existsSync(place)) ?? null
