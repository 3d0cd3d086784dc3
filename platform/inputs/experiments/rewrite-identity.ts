import { dump, load } from 'js-yaml'

import { readDefinition } from './parse-definition.ts'

export type Identity = { id: string; name: string }

const topLevelLine = (field: string) => new RegExp(`^${field}:.*$`, 'm')

/**
 * The same YAML with only its id and name replaced, for a fork; comments and layout stay. If the id or the name is not on a
 * line of its own, the whole text is generated again.
 */
export function rewriteIdentity(yaml: string, identity: Identity): string {
  const edited = yaml
    .replace(topLevelLine('id'), () => `id: ${identity.id}`)
    .replace(topLevelLine('name'), () => `name: ${JSON.stringify(identity.name)}`)
  if (hasIdentity(edited, yaml, identity)) return edited
  return dump({ ...(load(yaml) as object), ...identity })
}

/** True when the edit changed these two fields and nothing else. */
function hasIdentity(edited: string, original: string, identity: Identity) {
  try {
    const wanted = { ...readDefinition(original), ...identity }
    return JSON.stringify(readDefinition(edited)) === JSON.stringify(wanted)
  } catch {
    return false
  }
}
