import type { ApiKey } from '#contract/api-keys.ts'
import { hasWords } from '#src/ui/table/has-words.ts'

/** A leaked key is searched by its start, so the search also takes a whole key and finds its prefix. */
export const findsKey = ({ name, prefix, owner }: ApiKey, search: string) =>
  Boolean(prefix && search.toLowerCase().startsWith(prefix.toLowerCase())) ||
  hasWords([name, owner.name, owner.email, prefix], search)
