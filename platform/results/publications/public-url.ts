import { publicationPath } from '#contract/publications.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { tokenOf } from './token.ts'

/** Returns the public URL of a publication, or null if the operator has removed the key it was made with. */
export function publicUrlOf(
  { keys, publicUrl }: Pick<Services, 'keys' | 'publicUrl'>,
  { id, keyId }: { id: string; keyId: string },
  pathOf: (token: string) => string = publicationPath,
) {
  const key = keys.find('publications', keyId)
  return key && `${publicUrl}${pathOf(tokenOf(id, key))}`
}
