import { load, YAMLException } from 'js-yaml'

import { checkDefinition } from '#contract/check-definition.ts'
import type { Definition } from '#contract/definition.ts'
import { limits } from '#contract/wire/limit.ts'
import { invalid, invalidFields } from '#platform/failures/failure.ts'
import { refuseUnstorableText } from '#platform/failures/refuse-unstorable-text.ts'

const maxDepth = 50
const maxAliases = 200
const maxNodes = 200_000

/**
 * Reads experiment YAML into a definition. Bytes, depth, aliases and expanded size are capped before anything looks at
 * the content, since a few bytes of YAML can stand for gigabytes. Errors: `invalid_argument` with one issue per fault.
 */
export function parseDefinition(yaml: string): Definition {
  if (yaml.trim() === '') throw invalid('The body is empty: send the experiment as YAML')
  if (Buffer.byteLength(yaml) > limits.yamlBytes)
    throw invalid(`The YAML must be ${limits.yamlBytes.toLocaleString('en')} bytes or less`)
  return readDefinition(yaml)
}

/** The same for YAML that was accepted before and then edited here, which may have made it a little longer. */
export function readDefinition(yaml: string): Definition {
  const document = parseYaml(yaml)
  if (countNodes(document) > maxNodes) throw invalid('The YAML expands to too many values')
  refuseUnstorableText(document)
  const checked = checkDefinition(document)
  if (checked.definition) return checked.definition
  throw invalidFields(checked.issues)
}

function parseYaml(yaml: string): unknown {
  try {
    return load(yaml, { maxDepth, maxAliases })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const line = (error.mark?.line ?? 0) + 1
    throw invalid(`The YAML cannot be read: ${error.reason} (line ${line})`, [
      { path: '', message: error.reason, line },
    ])
  }
}

/** Counts values as an alias-expanding reader would see them, and stops as soon as the limit is passed. */
function countNodes(root: unknown): number {
  let count = 0
  const waiting: unknown[] = [root]
  while (waiting.length > 0 && count <= maxNodes) {
    const value = waiting.pop()
    count += 1
    if (typeof value !== 'object' || value === null) continue
    // Not one call with everything spread: that many arguments would overflow the stack.
    for (const inner of Object.values(value)) waiting.push(inner)
  }
  return count
}
