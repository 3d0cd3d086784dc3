import { load, YAMLException } from 'js-yaml'

import { checkDefinition } from '#contract/check-definition.ts'
import type { Definition } from '#contract/definition.ts'
import { limits } from '#contract/wire/limit.ts'
import { describeYamlError } from '#contract/yaml-errors.ts'
import { invalid, invalidFields } from '#platform/ground/failures/failure.ts'
import { refuseUnstorableText } from '#platform/ground/failures/refuse-unstorable-text.ts'

const maxDepth = 50
const maxAliases = 200
const maxNodes = 200_000

/**
 * Reads experiment YAML into a definition. Checks bytes, depth, aliases and expanded size before it reads the content,
 * because a few bytes of YAML can expand to gigabytes. Errors: `invalid_argument` with one issue per fault.
 */
export function parseDefinition(yaml: string): Definition {
  if (yaml.trim() === '') throw invalid('The request body is empty. Send the experiment as YAML')
  if (Buffer.byteLength(yaml) > limits.yamlBytes)
    throw invalid(`The YAML is too large: the limit is ${limits.yamlBytes.toLocaleString('en')} bytes`)
  return readDefinition(yaml)
}

/** The same for accepted YAML that the platform has edited, which may have made it a little longer. */
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
    const { message, line, column } = describeYamlError(error, yaml)
    throw invalid(`Invalid YAML on line ${line}: ${message}`, [{ path: '', message, line, column }])
  }
}

/** Counts values with every alias expanded, and stops at the limit. */
function countNodes(root: unknown): number {
  let count = 0
  const waiting: unknown[] = [root]
  while (waiting.length > 0 && count <= maxNodes) {
    const value = waiting.pop()
    count += 1
    if (typeof value !== 'object' || value === null) continue
    // A single push with spread arguments would overflow the stack for a large list.
    for (const inner of Object.values(value)) waiting.push(inner)
  }
  return count
}
