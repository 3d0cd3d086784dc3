import { dump, load } from 'js-yaml'

import { readDefinition } from './parse-definition.ts'

type Identity = { id: string; name: string }

const topLevelLine = (field: string) => new RegExp(`^${field}:.*$`, 'm')

/**
 * The same YAML under another id and name, comments and layout kept (spec, POST /experiments/{id}/fork: "YAML with only
 * id and name rewritten"). Text whose id or name does not stand on a line of its own is written anew instead.
 */
export function rewriteIdentity(yaml: string, identity: Identity): string {
  const edited = yaml
    .replace(topLevelLine('id'), () => `id: ${identity.id}`)
    .replace(topLevelLine('name'), () => `name: ${JSON.stringify(identity.name)}`)
  if (hasIdentity(edited, yaml, identity)) return edited
  return dump({ ...(load(yaml) as object), ...identity })
}

/** True when the edit changed the two fields and nothing else. */
function hasIdentity(edited: string, original: string, identity: Identity) {
  try {
    const wanted = { ...readDefinition(original), ...identity }
    return JSON.stringify(readDefinition(edited)) === JSON.stringify(wanted)
  } catch {
    return false
  }
}
