import { slugOfReference } from '#contract/secret-references.ts'
import { listed } from './note-words.ts'

/** Variables with their values, and the names of those that are left out. */
type Variables = { env: Record<string, string>; unknown: string[] }

type Written = readonly (readonly [name: string, value: string | null])[]

/** Variables of a Harbor task: only a whole value `${NAME}` or `${NAME:-default}` is one of the harness's machine. */
export const fillHarborVariables = (written: Readonly<Record<string, string | number | boolean>>) =>
  sortVariables(Object.entries(written).map(([name, value]) => [name, fromTemplate(String(value))]))

function fromTemplate(value: string): string | null {
  if (!value.startsWith('${') || !value.endsWith('}')) return value
  const inner = value.slice(2, -1)
  const at = inner.indexOf(':-')
  return at < 0 ? null : inner.slice(at + 2)
}

/** Paths that the harness of Terminal-Bench sets when it starts a task's containers. */
const harnessPaths: Readonly<Record<string, string>> = {
  T_BENCH_TEST_DIR: '/tests',
  T_BENCH_CONTAINER_LOGS_PATH: '/logs',
  T_BENCH_CONTAINER_AGENT_LOGS_PATH: '/agent-logs',
}

/** Variables of a Compose file, where `$NAME` can be anywhere in a value and `$$` is a dollar sign. */
export const fillComposeVariables = (written: Written) =>
  sortVariables(written.map(([name, value]) => [name, value === null ? null : interpolate(value)]))

const reference = /\$(?:\$|\{(\w+)(?:(:?[-+?])([^{}]*))?\}|(\w+))/g

/** Null if the value needs a variable of the harness's machine. */
export function interpolate(text: string): string | null {
  let isKnown = true
  const filled = text.replace(reference, (whole, braced?: string, operator?: string, word = '', bare?: string) => {
    if (whole === '$$') return '$'
    const value = harnessPaths[braced ?? bare ?? '']
    if (operator?.endsWith('+')) return value === undefined ? '' : word
    if (value === undefined && !operator?.endsWith('-')) isKnown = false
    return value ?? word
  })
  return isKnown ? filled : null
}

/** A value that refers to a secret would give a task of strangers the organization's secret. */
function sortVariables(written: Written): Variables {
  const env: Record<string, string> = {}
  const unknown: string[] = []
  for (const [name, value] of written) {
    const isUsable = value !== null && !value.includes('\0') && slugOfReference(value) === null
    if (isUsable && /^[A-Za-z_]\w*$/.test(name)) env[name] = value
    else unknown.push(name)
  }
  return { env, unknown }
}

export const withoutValue = (names: readonly string[]) =>
  names.length === 0 ? [] : [`Variables without a usable value are left out: ${listed([...new Set(names)])}`]
