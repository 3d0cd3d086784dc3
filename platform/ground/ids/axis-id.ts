import { shortHash } from './stable-id.ts'

const maxCharacters = 80

/** An id for contract/definition.ts's AxisId: letters, digits, dots, hyphens and underscores. */
export const toAxisId = (name: string) =>
  name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, maxCharacters)
    .replace(/-+$/, '') || 'unnamed'

/**
 * An id that two names share only if they differ in slashes or spaces alone. Names of tasks can be whole sentences that
 * differ in one sign.
 */
export function toDistinctId(name: string) {
  const id = toAxisId(name)
  if (name.length <= maxCharacters && /^[A-Za-z0-9][A-Za-z0-9._/ -]*$/.test(name)) return id
  return `${id.slice(0, maxCharacters - 9)}-${shortHash(name).slice(0, 8)}`
}
