import type { Definition } from '#contract/definition.ts'
import { hashDefinition } from './fingerprint.ts'
import { parseDefinition, readDefinition } from './parse-definition.ts'
import { type Identity, rewriteIdentity } from './rewrite-identity.ts'

/** A definition as its YAML has it, before its task folders are read. */
export type WrittenDefinition = { definition: Definition; definitionHash: string }

const withHash = (definition: Definition): WrittenDefinition => ({
  definition,
  definitionHash: hashDefinition(definition),
})

/** Errors: as `parseDefinition`. */
export const parseWritten = (yaml: string): WrittenDefinition => withHash(parseDefinition(yaml))

/** Accepted YAML with another id and name. */
export function renameWritten(yaml: string, identity: Identity): WrittenDefinition & { yaml: string } {
  const renamed = rewriteIdentity(yaml, identity)
  return { yaml: renamed, ...withHash(readDefinition(renamed)) }
}
